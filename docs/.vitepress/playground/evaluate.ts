// Evaluates a route file without running it as code: links carry route files, and a link must not run a program.
import {
  type Api,
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
import { type Expression, type Program, type SpreadElement, parse } from 'acorn'

/** What a route file may import. */
const helpers = new Map<string, unknown>([
  ...Object.entries({ api, cache, collection, del, get, hrefs, inherit, member, namespace, patch, post, put }),
  ...Object.entries({ resource, resources, scope: scopeOf, version }),
])

/** What is wrong with a route file, and in which line. */
export class PlaygroundError extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

type Scope = Map<string, unknown>

/**
 * The API that a route file declares: JavaScript of imports, constants, literals and calls of the helpers.
 *
 * @throws PlaygroundError for a syntax error or any other code, RouterError for a mistake in the routes
 */
export function evaluate(source: string): Api {
  const scope: Scope = new Map()
  let routes: Api | undefined
  for (const statement of parseFile(source).body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type === 'ImportDeclaration') bindImports(declaration, scope)
    else if (declaration?.type === 'VariableDeclaration')
      for (const { id, init } of declaration.declarations) {
        if (id.type !== 'Identifier' || init == null) throw unsupported(id)
        keep(valueOf(init, scope), id.name)
      }
    else if (declaration?.type === 'ExpressionStatement') keep(valueOf(declaration.expression, scope))
    else throw unsupported(statement)
  }
  if (routes === undefined) throw new PlaygroundError(1, 'The route file does not call api().')
  return routes

  function keep(value: unknown, name?: string): void {
    if (name !== undefined) scope.set(name, value)
    if (isApi(value)) routes = value
  }
}

function parseFile(source: string): Program {
  try {
    return parse(source, { ecmaVersion: 2022, sourceType: 'module', locations: true })
  } catch (error) {
    const { message, loc } = error as SyntaxError & { loc?: { line: number } }
    throw new PlaygroundError(
      loc?.line ?? 1,
      `${message.replace(/ \(\d+:\d+\)$/, '')}. Write JavaScript, without types.`,
    )
  }
}

function bindImports(node: Extract<Program['body'][number], { type: 'ImportDeclaration' }>, scope: Scope): void {
  if (node.source.value !== '@hv/router') throw unsupported(node)
  for (const specifier of node.specifiers) {
    if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') throw unsupported(node)
    const { name } = specifier.imported
    if (!helpers.has(name)) throw unsupported(specifier.imported)
    scope.set(specifier.local.name, helpers.get(name))
  }
}

function valueOf(node: Expression | SpreadElement, scope: Scope): unknown {
  switch (node.type) {
    case 'Literal':
      return node.regex ? new RegExp(node.regex.pattern, node.regex.flags) : node.value
    case 'TemplateLiteral':
      if (node.expressions.length > 0) throw unsupported(node)
      return node.quasis[0]!.value.cooked
    case 'UnaryExpression':
      if (node.operator !== '-') throw unsupported(node)
      return -Number(valueOf(node.argument, scope))
    case 'Identifier':
      if (node.name === 'undefined') return undefined
      if (!scope.has(node.name))
        throw new PlaygroundError(lineOf(node), `${node.name} is not defined. Import it from '@hv/router'.`)
      return scope.get(node.name)
    case 'ArrayExpression':
      return listOf(node.elements, scope)
    case 'ObjectExpression':
      return Object.fromEntries(node.properties.flatMap((property) => entriesOf(property, scope)))
    case 'CallExpression': {
      const call = node.callee.type === 'Identifier' ? valueOf(node.callee, scope) : undefined
      if (typeof call !== 'function') throw unsupported(node)
      return (call as (...args: readonly unknown[]) => unknown)(...listOf(node.arguments, scope))
    }
    default:
      throw unsupported(node)
  }
}

const listOf = (nodes: readonly (Expression | SpreadElement | null)[], scope: Scope): readonly unknown[] =>
  nodes.flatMap((node) => {
    if (node === null) return [undefined]
    if (node.type !== 'SpreadElement') return [valueOf(node, scope)]
    const value = valueOf(node.argument, scope)
    if (!Array.isArray(value)) throw unsupported(node)
    return value as unknown[]
  })

type Property = Extract<Expression, { type: 'ObjectExpression' }>['properties'][number]

function entriesOf(property: Property, scope: Scope): readonly (readonly [string, unknown])[] {
  if (property.type === 'SpreadElement') return Object.entries(valueOf(property.argument, scope) as object)
  const { key, computed, kind, method, value } = property
  if (computed || kind !== 'init' || method) throw unsupported(property)
  if (key.type === 'Identifier') return [[key.name, valueOf(value, scope)]]
  if (key.type === 'Literal') return [[String(key.value), valueOf(value, scope)]]
  throw unsupported(property)
}

const lineOf = (node: { loc?: { start: { line: number } } | null | undefined }): number => node.loc?.start.line ?? 1
const unsupported = (node: Parameters<typeof lineOf>[0]): PlaygroundError =>
  new PlaygroundError(
    lineOf(node),
    'The playground reads imports, constants, literals and calls of the helpers. Remove other code.',
  )
const isApi = (value: unknown): value is Api =>
  typeof value === 'object' && value !== null && 'settings' in value && 'table' in value
