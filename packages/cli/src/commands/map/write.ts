import { dirname, extname, relative, sep } from 'node:path'
import type { Style } from '../../syntax/style.ts'
import type { Entry } from './entries.ts'

/** How the map is written. */
export interface MapStyle extends Style {
  readonly isTypeScript: boolean
  /** It uses `import` and `export`. */
  readonly isModule: boolean
  /** What a relative import of a controller ends in. */
  readonly extension: (path: string) => string
}

/** The text of the map: an object when no controller needs arguments, else a function that passes them on. */
export function mapText(path: string, entries: readonly Entry[], style: MapStyle): string {
  const { end, indent, newline, isModule, isTypeScript } = style
  const first = entries.find(({ needsArguments }) => needsArguments)
  const name = first === undefined ? 'controllers' : 'createControllers'
  const versions = [...new Set(entries.map(({ version }) => version))].toSorted((a, b) => a - b)
  const map = [
    '{',
    ...versions.flatMap((version) => [
      `${indent}${version}: {`,
      ...entries
        .filter((entry) => entry.version === version)
        .map((entry) => `${indent}${indent}${keyOf(entry, style)}: ${valueOf(entry)},`),
      `${indent}},`,
    ]),
  ]
  const parameters = first === undefined ? '' : `${parametersOf(first, isTypeScript)} => (`
  const declared = `const ${name} = ${parameters}`
  const lines = [
    '// Written by hv-router map. To write it again: npx hv-router map --force',
    ...entries.map((entry) => importLine(path, entry, style)),
    '',
    (isModule ? 'export ' : '') + declared + map[0],
    ...map.slice(1),
    `}${first === undefined ? '' : ')'}${end}`,
    ...(isModule ? [] : ['', `module.exports = { ${name} }${end}`]),
  ]
  return lines.join(newline) + newline
}

function parametersOf({ controller, local }: Entry, isTypeScript: boolean): string {
  if (!isTypeScript) return '(...services)'
  const helper = controller.kind === 'class' ? 'ConstructorParameters' : 'Parameters'
  return `(...services: ${helper}<typeof ${local}>)`
}

const keyOf = ({ key }: Entry, { quote }: MapStyle): string =>
  /^[a-z_$][\w$]*$/i.test(key) ? key : quote + key + quote

function valueOf({ controller, local, needsArguments }: Entry): string {
  const args = needsArguments ? '...services' : ''
  if (controller.kind === 'class') return `new ${local}(${args})`
  return controller.kind === 'factory' ? `${local}(${args})` : local
}

function importLine(path: string, { file, controller: { style }, local }: Entry, map: MapStyle): string {
  const { end, quote, isModule } = map
  const stem = file.path.slice(0, -extname(file.path).length)
  const written = relative(dirname(path), stem).split(sep).join('/')
  const from = quote + (written.startsWith('.') ? written : `./${written}`) + map.extension(file.path) + quote
  const isDefault = style.kind === 'default' || (style.kind === 'named' && style.name === 'default')
  if (isModule) {
    if ('name' in style && !isDefault)
      return `import { ${style.name === local ? local : `${style.name} as ${local}`} } from ${from}${end}`
    return `import ${style.kind === 'namespace' ? `* as ${local}` : local} from ${from}${end}`
  }
  const member = 'name' in style ? style.name : isDefault ? 'default' : null
  const names = member === null ? local : `{ ${member === local ? local : `${member}: ${local}`} }`
  return `const ${names} = require(${from})${end}`
}
