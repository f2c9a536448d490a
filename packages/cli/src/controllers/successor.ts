// What bump writes: a class that extends the one before, an object that spreads it, a function that spreads its result.
import { type Place, type SourceFile, isCommonJs } from '../syntax/parse.ts'
import { styleOf } from '../syntax/style.ts'
import type { Controller } from './controllers.ts'
import { type ControllerFile, classNameOf } from './find.ts'
import { importOf } from './imports.ts'

/** A controller to extend or to derive, at the path of its version, and the path that it gets in the next one. */
interface Wanted {
  readonly file: ControllerFile
  readonly controller: Controller
  readonly path: string
  readonly next: number
  /** Other controllers of the version, for what the file itself does not show. */
  readonly neighbours: readonly SourceFile[]
  /** Ends bump: the controller cannot be extended. */
  readonly refuse: (why: string, place: Place) => never
}

type At = Pick<ControllerFile, 'path' | 'version'>

/** How the file of a version loads the controller of another one, and exports its own, in the style of the files around. */
function stencilOf(
  { controller, file, neighbours, refuse }: Wanted,
  { path, version }: At,
  other: At,
) {
  const { file: source, kind, style } = controller
  const { end, newline, quote } = styleOf([source, ...neighbours].map(({ text }) => text))
  const from = quote + importOf(path, other.path, [source, ...neighbours]) + quote
  const isHeld = style.kind === 'property'
  const node =
    kind === 'object' ? null : kind === 'class' ? controller.value.node : controller.by.node
  const usual = kind === 'class' ? classNameOf(file.key) : 'create'
  const old = style.kind === 'named' || isHeld ? style.name : (node?.id?.name ?? usual)
  /** The name under which the file declares or exports the controller. */
  const name = old.replace(new RegExp(`(^|[a-z_])([Vv])${other.version}(?!\\d)`), `$1$2${version}`)
  const wanted = kind === 'object' || isHeld ? `v${other.version}` : old
  // Where the name does not have the version, that of the parent gets it: one file cannot declare it twice.
  const local = name === wanted ? `${wanted}V${other.version}` : wanted
  const parent = isHeld ? `${local}.${style.name}` : local
  const { values, types } = otherExports(controller, refuse)

  const load = (names: string, specifier: string, keyword = 'import'): string =>
    `${keyword} ${names} from ${specifier}${end}`
  const loadParent = (keyword?: string): string => {
    if (isHeld || style.kind === 'module.exports') return `const ${local} = require(${from})${end}`
    const named = style.name === local ? local : `${style.name} as ${local}`
    return load(style.kind === 'named' ? `{ ${named} }` : local, from, keyword)
  }
  const exportValue = (value: string, as = name, isClass = false): readonly string[] => {
    if (style.kind === 'named')
      return [isClass ? `export ${value}` : `export const ${as} = ${value}${end}`]
    if (style.kind === 'default') return [`export default ${value}${isClass ? '' : end}`]
    if (!isHeld) return [`module.exports = ${value}${end}`]
    const others = values.length > 0 ? `...${local}, ` : ''
    return [
      ...(isClass ? [value, ''] : []),
      `module.exports = { ${others}${isClass ? as : `${as}: ${value}`} }${end}`,
    ]
  }
  /** An ES module exports what the other file exports beside the controller. */
  const passOn = [
    ...(values.length > 0 ? [`export { ${values.join(', ')} } from ${from}${end}`] : []),
    ...(types.length > 0 ? [`export type { ${types.join(', ')} } from ${from}${end}`] : []),
  ]
  const text = (...lines: readonly string[]): string =>
    [...lines, ...(isHeld || passOn.length === 0 ? [] : ['', ...passOn]), ''].join(newline)
  return {
    end,
    quote,
    from,
    name,
    parent,
    isTypeScript: path.endsWith('ts'),
    load,
    loadParent,
    exportValue,
    text,
  }
}

interface Others {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

/** What a file exports beside its controller. `module.exports` is passed on as a whole. */
function otherExports(controller: Controller, refuse: Wanted['refuse']): Others {
  const { style, exports, file, kind } = controller
  if (style.kind === 'namespace' || style.kind === 'module.exports')
    return { values: [], types: [] }
  const { known, unseen } = exports.members
  if (unseen !== null) return refuse(`it may export more: ${unseen.why}`, unseen.place)
  const own = kind === 'factory' ? controller.by : controller.value
  const isOwn = (name: string): boolean =>
    ['default', '__esModule', style.name].includes(name) || known.get(name)!.value() === own
  // `export { 'a-b' }` is also a name.
  const written = (name: string): string =>
    /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name)
  const values = [...known.keys()].filter((name) => !isOwn(name)).map(written)
  const types = file.module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ exportName: { name }, isType }) =>
      isType && name !== null && !known.has(name) ? [name] : [],
    )
  return { values, types }
}

/** The text of a file that has all of a controller of the version before, in its style. */
export function successorOf(wanted: Wanted): string {
  const { controller, file, path, next } = wanted
  assertExtendable(wanted)
  const { end, quote, from, name, parent, isTypeScript, ...stencil } = stencilOf(
    wanted,
    { path, version: next },
    file,
  )
  if (controller.style.kind === 'namespace') return stencil.text(`export * from ${from}${end}`)
  const first = stencil.loadParent()
  if (controller.kind === 'object')
    return stencil.text(first, '', ...stencil.exportValue(`{ ...${parent} }`))
  if (controller.kind === 'class') {
    const { node, isNest } = controller.value
    const lines = stencil.exportValue(
      `${node.abstract ? 'abstract ' : ''}class ${name} extends ${parent} {}`,
      name,
      true,
    )
    if (!isNest) return stencil.text(first, '', ...lines)
    const nest = stencil.load('{ Controller }', `${quote}@nestjs/common${quote}`)
    return stencil.text(nest, first, '', '@Controller()', ...lines)
  }
  const parameters = isTypeScript ? `(...args: Parameters<typeof ${parent}>)` : '(...args)'
  const made = controller.by.node.async
    ? `async ${parameters} => ({ ...(await ${parent}(...args)) })`
    : `${parameters} => ({ ...${parent}(...args) })`
  return stencil.text(first, '', ...stencil.exportValue(made))
}

function assertExtendable({ controller, refuse }: Wanted): void {
  const { file, kind, style, value, exports } = controller
  if (style.kind === 'property' && !isCommonJs(file))
    refuse(`its default export is an object that holds ${style.name}. Export that`, exports.place)
  if (kind === 'class') {
    if (value.node.typeParameters?.params.some((parameter) => !parameter.default))
      refuse(
        'it has type parameters without defaults. Write the next version yourself',
        exports.place,
      )
    return
  }
  const inherited = [...value.members.known].find(([, { isOwn }]) => !isOwn)
  if (inherited !== undefined)
    refuse(
      `it inherits ${inherited[0]} from a class, which a spread does not copy. Export the class`,
      value.place,
    )
}

/** The text of a controller that is derived from the next version, with an adapter's `before`, by a change to describe. */
export function derivedFrom(wanted: Wanted, adapter: string): string {
  const { controller, file, next, path } = wanted
  const { kind, style, exports } = controller
  if (style.kind !== 'named' && style.kind !== 'default')
    return wanted.refuse(
      'it is neither a named nor a default export. Export one object, class or function',
      exports.place,
    )
  const { end, quote, name, parent, isTypeScript, ...stencil } = stencilOf(wanted, file, {
    path,
    version: next,
  })
  const key = file.key.slice(file.key.lastIndexOf('/') + 1).replace(/\W/g, '_')
  const typed = (type: string): string => (isTypeScript ? `: ${type}` : '')
  const derived = {
    class: `(${key}${typed(parent)}) => before({ ${key} }, changed).${key}`,
    object: `before({ ${key}: ${parent} }, changed).${key}`,
    factory: `(...args${typed(`Parameters<typeof ${parent}>`)}) => before({ ${key}: ${parent}(...args) }, changed).${key}`,
  }[kind]
  const exportName = kind === 'class' ? `create${name}` : name
  const isTyped = kind === 'class' && isTypeScript
  return stencil.text(
    stencil.load('{ change }', `${quote}@hv/router${quote}`),
    stencil.load('{ before }', quote + adapter + quote),
    stencil.loadParent(isTyped ? 'import type' : 'import'),
    '',
    `/** What version ${next} changed. Describe it, and name each schema that became another one. */`,
    `export const changed = change(${quote}Describe what changed in version ${next}.${quote})${end}`,
    '',
    `/** Version ${file.version}: version ${next}, before the change. */`,
    ...stencil.exportValue(derived, exportName),
    ...(isTyped && style.kind === 'named'
      ? [`export type ${name} = ReturnType<typeof ${exportName}>${end}`]
      : []),
  )
}
