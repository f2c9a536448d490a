// What the writers of the next version's controllers share.
import type { Place, SourceFile } from '../../syntax/parse.ts'
import type { Style } from '../../syntax/style.ts'
import type { Controller } from '../controller.ts'
import type { ControllerFile } from '../find.ts'

/** What a writer is given. */
export interface Draft {
  readonly file: ControllerFile
  readonly source: SourceFile
  readonly controller: Controller
  readonly next: number
  readonly style: Style
  /** The quoted path that the next version imports this file by. */
  readonly from: string
  /** What the file exports beside the controller, types included. */
  readonly others: OtherExports
}

/** What a file exports beside its controller. */
export interface OtherExports {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

/** A controller that the next version cannot extend, and why. */
export class CannotExtend extends Error {
  readonly place: Place

  constructor(why: string, place: Place) {
    super(why)
    this.place = place
  }
}

export const isTypeScript = ({ file }: Draft): boolean => file.path.endsWith('ts')

/** `UsersControllerV1` → `UsersControllerV2`, `v1Users` → `v2Users`. Other names stay as they are. */
export const renumbered = (name: string, version: number, next: number): string =>
  name.replace(new RegExp(`(^|[a-z_])([Vv])${version}(?!\\d)`), `$1$2${next}`)

/** `a`, or `a as b`; `a: b` in a destructuring. */
export const renamed = (name: string, local: string, separator: ' as ' | ': '): string =>
  name === local ? name : `${name}${separator}${local}`

/** The line that imports what the file exports, under a local name. */
export function importLine({ controller: { style }, style: { end }, from, others }: Draft, local: string): string {
  switch (style.kind) {
    case 'named':
      return `import { ${renamed(style.name, local, ' as ')} } from ${from}${end}`
    case 'default':
      return `import ${local} from ${from}${end}`
    case 'namespace':
      return `import * as ${local} from ${from}${end}`
    case 'equals':
      return `import ${local} = require(${from})${end}`
    case 'module.exports':
      return `const ${local} = require(${from})${end}`
    case 'property':
      return `const { ${[renamed(style.name, local, ': '), ...others.values].join(', ')} } = require(${from})${end}`
  }
}

/** The line that exports a property of `module.exports`, beside what else the file exports. */
export const exportProperty = ({ others, style: { end } }: Draft, property: string): string =>
  `module.exports = { ${[...others.values, property].join(', ')} }${end}`
