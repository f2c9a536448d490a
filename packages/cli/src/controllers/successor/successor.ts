import type { SourceFile } from '../../syntax/parse.ts'
import { styleOf } from '../../syntax/style.ts'
import type { Controller } from '../controller.ts'
import type { ControllerFile } from '../find.ts'
import { importExtensionOf } from '../import-extension.ts'
import type { Draft } from './draft.ts'
import { otherExports, passOn } from './other-exports.ts'
import { writeClass } from './write-class.ts'
import { writeFactory } from './write-factory.ts'
import { writeObject } from './write-object.ts'

/**
 * The text of a controller of the next version that has all of this one, in the style of its file.
 *
 * @param neighbours other controllers of the version, for what the file itself does not show
 * @throws CannotExtend when there is no way to extend it
 */
export function successorOf(
  file: ControllerFile,
  controller: Controller,
  next: number,
  neighbours: readonly SourceFile[],
): string {
  const { file: source } = controller
  const style = styleOf(source, neighbours)
  const up = '../'.repeat(file.key.split('/').length)
  const stem = `${up}v${file.version}/${file.key}_controller`
  const from = style.quote + stem + importExtensionOf(file.path, [source, ...neighbours]) + style.quote
  const draft: Draft = { file, source, controller, next, style, from, others: otherExports(controller) }
  const lines = [...directive(draft), ...write(draft), ...passOn(draft)]
  return lines.join(style.newline) + style.newline
}

function write(draft: Draft): readonly string[] {
  const { controller } = draft
  if (controller.kind === 'class') return writeClass(draft, controller.value)
  if (controller.kind === 'object') return writeObject(draft, controller.value)
  return writeFactory(draft, controller.value, controller.by)
}

/** `'use strict'`, where the file begins with it. */
function directive({ source, style: { end } }: Draft): readonly string[] {
  const [first] = source.program.body
  const isStrict = first?.type === 'ExpressionStatement' && 'directive' in first && first.directive === 'use strict'
  return isStrict ? [source.text.slice(first.start, first.end).replace(/;$/, '') + end, ''] : []
}
