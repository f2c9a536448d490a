// Every option that a package exports a type for has a row in the reference, and every flag is in its command's section.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { run } from '../packages/cli/src/run.ts'
import { run as diff } from '../packages/openapi-diff/src/command/run.ts'
import { apiPages } from './pages.ts'

const root = join(import.meta.dirname, '..')
const pages = ['options', 'dsl', 'cli', 'types', 'wire'].map((page) => `docs/reference/${page}.md`)
const readMes = [
  'router',
  'express',
  'fastify',
  'fetch',
  'nest',
  'openapi',
  'openapi-diff',
  'client',
].map((name) => `packages/${name}/README.md`)

/** The names in the first column of every table: `only` and `except` of "| `only`, `except` | … |". */
const documented = new Set(
  [...pages, ...readMes].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`(\w+)[(`]/g)].map(([, name]) => name!),
    ),
  ),
)

/** Those who write an adapter read its types. */
const files = Object.entries(apiPages).flatMap(([name, [, file]]) =>
  name === 'adapter' ? [] : [join(root, file)],
)
const program = ts.createProgram(files, {
  allowImportingTsExtensions: true,
  customConditions: ['@hv/source'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ESNext,
  types: [],
})
const checker = program.getTypeChecker()

const isOurs = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some((declaration) => {
    const { fileName } = declaration.getSourceFile()
    return fileName.startsWith(join(root, 'packages')) && !fileName.includes('node_modules')
  }) ?? false

const options = files.flatMap((file) => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!
  return checker.getExportsOfModule(module).flatMap((exported) => {
    if (!exported.name.endsWith('Options')) return []
    const symbol =
      exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const properties = checker.getDeclaredTypeOfSymbol(symbol).getApparentProperties()
    return [[exported.name, properties.filter(isOurs).map(({ name }) => name)] as const]
  })
})

it.each(options)('%s has a row for each option', (_name, names) => {
  expect(names.filter((name) => !documented.has(name))).toEqual([])
})

it('the instructions for agents name each option of the routers', () => {
  const instructions = readFileSync(join(root, 'docs/agents.md'), 'utf8')
  const names = options.flatMap(([type, own]) => (type === 'RouterOptions' ? own : []))
  expect(names).toContain('pinVersion')
  expect(names.filter((name) => !instructions.includes(`\`${name}\``))).toEqual([])
})

it('covers the exported types', () => expect(options.length).toBeGreaterThan(15))

/** The flags that a command's help lists, other than `--help` and `--version`. */
const flagsIn = (help: string): readonly string[] =>
  [...help.matchAll(/^(?: {2}.*?)?(--[\w-]+)/gm)]
    .map(([, flag]) => flag!)
    .filter((flag) => !['--help', '--version'].includes(flag))

it.each([
  [],
  ['init'],
  ['bump'],
  ['routes'],
  ['check'],
  ['diff'],
  ['report'],
  ['explain'],
  ['openapi'],
])('hv-router %s has its flags in the reference', async (...command) => {
  let help = ''
  const out = { write: (text: string) => (help += text) }
  await run([...command, '--help'], { cwd: root, out, err: out })
  const sections = readFileSync(join(root, 'docs/reference/cli.md'), 'utf8').split(/^## /m)
  const titles = ['Files, folders', 'JSON output', ...command.map((name) => `${name}\n`)]
  const text = sections
    .filter((section) => titles.some((title) => section.startsWith(title)))
    .join('')
  expect(flagsIn(help).length).toBeGreaterThan(0)
  expect(flagsIn(help).filter((flag) => !text.includes(`\`${flag}`))).toEqual([])
})

it('openapi-diff has its flags in the README', () => {
  const text = readFileSync(join(root, 'packages/openapi-diff/README.md'), 'utf8')
  let help = ''
  const out = (printed: string): void => void (help += printed)
  diff(['--help'], { stdin: () => new Uint8Array(), out, error: out, addSummary: out })
  expect(flagsIn(help).length).toBeGreaterThan(0)
  expect(flagsIn(help).filter((flag) => !text.includes(`\`${flag}`))).toEqual([])
})
