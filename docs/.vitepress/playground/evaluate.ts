// Evaluates a file without running it as code: links carry files, and a link must not run a program.
import {
  type Api,
  RouterError,
  api,
  cache,
  collection,
  del,
  get,
  hrefs,
  inherit,
  member,
  namespace,
  patch,
  post,
  put,
  resource,
  resources,
  scope as scopeOf,
  version,
} from '@hv/router'
import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type Expression, Parser, type Program, type SpreadElement } from 'acorn'
import { Places } from './places.ts'

/** What a route file may import. */
const helpers = new Map<string, unknown>([
  ...Object.entries({
    api,
    cache,
    collection,
    del,
    get,
    hrefs,
    inherit,
    member,
    namespace,
    patch,
    post,
    put,
  }),
  ...Object.entries({ resource, resources, scope: scopeOf, version }),
])

/** What is wrong with a file, and in which line. */
export class PlaygroundError extends Error {
  readonly line: number
  /** The code of a mistake in the routes; empty for any other. */
  readonly code: string
  constructor(line: number, message: string, code = '') {
    super(message)
    this.line = line
    this.code = code
  }
}

type Values = Map<string, unknown>

/**
 * The API that a route file declares: imports, constants, literals and calls of the helpers. Types are ignored.
 *
 * @throws PlaygroundError for a syntax error, any other code, or a mistake in the routes
 */
export function evaluate(source: string): Api {
  const routes = [...valuesOf(source).values()].findLast(isApi)
  if (routes === undefined) throw new PlaygroundError(1, 'The route file does not call api().')
  return routes
}

/** What handlers return, by action and version: `{ 'users#show': { 1: {}, 2: {} } }`. */
export type Bodies = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * The constant `bodies` of a file.
 *
 * @throws PlaygroundError if it isn't an object of objects
 */
export function evaluateBodies(source: string): Bodies {
  const bodies = valuesOf(source).get('bodies')
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (!isObject(bodies) || !Object.values(bodies).every(isObject))
    throw new PlaygroundError(1, "Export bodies by action and version: { 'users#show': { 1: … } }.")
  return bodies as Bodies
}

/** The constants of a file, and what its statements return. */
function valuesOf(source: string): Values {
  const values: Values = new Map()
  const places = new Places()
  const read = (node: Expression | SpreadElement) => valueOf(node, values, places)
  for (const statement of parseFile(source).body) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type === 'ImportDeclaration') bindImports(declaration, values)
    else if (declaration?.type === 'VariableDeclaration')
      for (const { id, init } of declaration.declarations) {
        if (id.type !== 'Identifier' || init == null) throw unsupported(id)
        values.set(id.name, read(init))
      }
    else if (declaration?.type === 'ExpressionStatement')
      values.set('', read(declaration.expression))
    else if (!isType(declaration)) throw unsupported(statement)
  }
  return values
}

const parser = Parser.extend(tsPlugin() as never)

function parseFile(source: string): Program {
  try {
    return parser.parse(source, { ecmaVersion: 2022, sourceType: 'module', locations: true })
  } catch (error) {
    const { message, loc } = error as SyntaxError & { loc?: { line: number } }
    throw new PlaygroundError(loc?.line ?? 1, `${message.replace(/ \(\d+:\d+\)$/, '')}.`)
  }
}

function bindImports(
  node: Extract<Program['body'][number], { type: 'ImportDeclaration' }>,
  values: Values,
): void {
  if ((node as { importKind?: string }).importKind === 'type') return
  if (node.source.value !== '@hv/router') throw unsupported(node)
  for (const specifier of node.specifiers) {
    if ((specifier as { importKind?: string }).importKind === 'type') continue
    if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier')
      throw unsupported(node)
    const { name } = specifier.imported
    if (!helpers.has(name)) throw unsupported(specifier.imported)
    values.set(specifier.local.name, helpers.get(name))
  }
}

function valueOf(node: Expression | SpreadElement, values: Values, places: Places): unknown {
  switch (node.type) {
    case 'Literal':
      places.add(node.value, lineOf(node))
      return node.regex ? new RegExp(node.regex.pattern, node.regex.flags) : node.value
    case 'TemplateLiteral':
      if (node.expressions.length > 0) throw unsupported(node)
      return node.quasis[0]!.value.cooked
    case 'UnaryExpression':
      if (node.operator !== '-') throw unsupported(node)
      return -Number(valueOf(node.argument, values, places))
    case 'Identifier':
      if (node.name === 'undefined') return undefined
      if (!values.has(node.name))
        throw new PlaygroundError(
          lineOf(node),
          `${node.name} isn't defined.${helpers.has(node.name) ? " Import it from '@hv/router'." : ''}`,
        )
      return values.get(node.name)
    case 'ArrayExpression':
      return listOf(node.elements, values, places)
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.flatMap((property) => entriesOf(property, values, places)),
      )
    case 'CallExpression': {
      const call =
        node.callee.type === 'Identifier' ? valueOf(node.callee, values, places) : undefined
      if (typeof call !== 'function') throw unsupported(node)
      const list = listOf(node.arguments, values, places)
      if (call === version) places.addVersion(list[0], lineOf(node), node.loc!.end.line)
      return locate(
        () => (call as (...args: readonly unknown[]) => unknown)(...list),
        lineOf(node),
        places,
      )
    }
    default:
      if (isTyped(node)) return valueOf(node.expression, values, places)
      throw unsupported(node)
  }
}

/** Adds the line to a mistake in the routes. */
function locate<T>(call: () => T, line: number, places: Places): T {
  try {
    return call()
  } catch (error) {
    if (!(error instanceof RouterError)) throw error
    const { code, details, message } = error as RouterError
    throw new PlaygroundError(places.find(details) ?? line, message.replace(`${code}: `, ''), code)
  }
}

const listOf = (
  nodes: readonly (Expression | SpreadElement | null)[],
  values: Values,
  places: Places,
) =>
  nodes.flatMap((node): readonly unknown[] => {
    if (node === null) return [undefined]
    if (node.type !== 'SpreadElement') return [valueOf(node, values, places)]
    const value = valueOf(node.argument, values, places)
    if (!Array.isArray(value)) throw unsupported(node)
    return value as unknown[]
  })

type Property = Extract<Expression, { type: 'ObjectExpression' }>['properties'][number]

function entriesOf(
  property: Property,
  values: Values,
  places: Places,
): readonly (readonly [string, unknown])[] {
  if (property.type === 'SpreadElement')
    return Object.entries(valueOf(property.argument, values, places) as object)
  const { key, computed, kind, method, value } = property
  if (computed || kind !== 'init' || method) throw unsupported(property)
  const name =
    key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined
  if (name === undefined) throw unsupported(property)
  places.add(name, lineOf(key))
  return [[name, valueOf(value, values, places)]]
}

/** `as const`, `satisfies …` and `!` change no value. */
const isTyped = (node: { type: string }): node is { type: string; expression: Expression } =>
  ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(node.type)
const isType = (node: { type: string } | null | undefined): boolean =>
  ['TSTypeAliasDeclaration', 'TSInterfaceDeclaration'].includes(node?.type ?? '')
const lineOf = (node: { loc?: { start: { line: number } } | null | undefined }): number =>
  node.loc?.start.line ?? 1
const unsupported = (node: Parameters<typeof lineOf>[0]): PlaygroundError =>
  new PlaygroundError(
    lineOf(node),
    'The playground reads imports, constants, literals and calls of the helpers. Remove other code.',
  )
const isApi = (value: unknown): value is Api =>
  typeof value === 'object' && value !== null && 'settings' in value && 'table' in value
