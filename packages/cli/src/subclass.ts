import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { UsageError } from './io.ts'
import { type ControllerFile, type Source, exportedClassOf, readSource } from './sources.ts'

/**
 * The text of a controller of the next version: a class of the same name that extends this one, in this file's own style.
 *
 * @throws UsageError when no exported class is to be seen in the file
 */
export function subclassOf(
  file: ControllerFile,
  next: number,
  neighbours: readonly ControllerFile[],
  nameOf: (path: string) => string,
): string {
  const source = readSource(file.path)
  const exported = exportedClassOf(source)
  if (exported === null)
    throw new UsageError(
      `${nameOf(file.path)} exports no class that bump can see, so nothing was written. ` +
        'Export one: export class UsersController { … }, as default, or by module.exports.',
    )
  const { as, exportedName } = exported
  const quote = (source.text.match(/"/g)?.length ?? 0) > (source.text.match(/'/g)?.length ?? 0) ? '"' : "'"
  const end = usesSemicolons(source) ? ';' : ''
  const newline = source.text.includes('\r\n') ? '\r\n' : '\n'
  const up = '../'.repeat(file.key.split('/').length)
  const stem = `${up}v${file.version}/${file.key}_controller`
  const from = quote + stem + extensionOf(file, source, neighbours) + quote

  const old = exported.name ?? classNameOf(file.key)
  const name = renumbered(old, file.version, next)
  // Where the name does not say the version, the parent's does: two classes of one name cannot stand in one file.
  const parent = name === old ? `${old}V${file.version}` : old
  const outside = exportedName ?? old
  const outsideNext = exportedName === null ? name : renumbered(exportedName, file.version, next)
  const body = `class ${name} extends ${parent} {}`
  const required = `require(${from})`

  const lines = {
    named: [
      `import { ${outside === parent ? parent : `${outside} as ${parent}`} } from ${from}${end}`,
      '',
      outsideNext === name ? `export ${body}` : `${body}${newline}${newline}export { ${name} as ${outsideNext} }${end}`,
    ],
    default: [`import ${parent} from ${from}${end}`, '', `export default ${body}`],
    'export =': [`import ${parent} = ${required}${end}`, '', body, '', `export = ${name}${end}`],
    'module.exports': [`const ${parent} = ${required}${end}`, '', `module.exports = ${body}${end}`],
    exports: [
      `const { ${outside === parent ? parent : `${outside}: ${parent}`} } = ${required}${end}`,
      '',
      body,
      '',
      `module.exports = { ${outsideNext === name ? name : `${outsideNext}: ${name}`} }${end}`,
    ],
  }[as]
  return lines.join(newline) + newline
}

/** `UsersControllerV1` → `UsersControllerV2`, `V1UsersController` → `V2UsersController`; others stay as they are. */
function renumbered(name: string, version: number, next: number): string {
  return name.replace(new RegExp(`(^|[a-z_])([Vv])${version}(?!\\d)`), `$1$2${next}`)
}

/** `admin/line_items` → `LineItemsController`. */
function classNameOf(key: string): string {
  const words = basename(key).split(/[_-]/)
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}Controller`
}

function usesSemicolons({ code }: Source): boolean {
  const lines = code.split('\n').map((line) => line.trim())
  const ended = lines.filter((line) => line.endsWith(';')).length
  return ended > lines.filter((line) => /[\w)\]'"]$/.test(line)).length
}

/** The extension that this file and its neighbours write in relative imports; else what the project's compiler wants. */
function extensionOf(file: ControllerFile, source: Source, neighbours: readonly ControllerFile[]): string {
  for (const one of [file, ...neighbours]) {
    const { text } = one === file ? source : readSource(one.path)
    const written = /(?:\bfrom|\bimport|\brequire\()\s*['"](\.\.?\/[^'"]+)['"]/.exec(text)?.[1]
    if (written !== undefined) {
      const extension = /\.[cm]?[jt]s$/.exec(written)?.[0]
      return extension === undefined
        ? ''
        : `.${file.path.endsWith(extension) ? extname(file.path).slice(1) : extension.slice(1)}`
    }
  }
  const own = extname(file.path)
  if (!own.endsWith('ts')) return /\brequire\s*\(|\bexports\b/.test(source.code) && own === '.js' ? '' : own
  const options = compilerOptionsNear(dirname(file.path))
  if (/"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(options)) return own
  if (/"moduleResolution"\s*:\s*"(?:bundler|node|node10|classic)"/i.test(options)) return ''
  return own.replace('ts', 'js')
}

/** The text of the tsconfig.json files that hold for a folder; what they extend is read with them. */
function compilerOptionsNear(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const config = join(at, 'tsconfig.json')
    if (existsSync(config)) return withExtended(config, 5)
    if (dirname(at) === at) return ''
  }
}
function withExtended(config: string, depth: number): string {
  const text = existsSync(config) ? readFileSync(config, 'utf8') : ''
  const base = /"extends"\s*:\s*"(\.[^"]*)"/.exec(text)?.[1]
  if (base === undefined || depth === 0) return text
  return text + withExtended(join(dirname(config), base.endsWith('.json') ? base : `${base}.json`), depth - 1)
}
