// Every option that a package exports a type for has a row in the reference.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
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

it('covers the exported types', () => expect(options.length).toBeGreaterThan(15))
