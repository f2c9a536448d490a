import { type Api, type Row, RouterError, explain, routeTable } from '@hv/router'
import { openapi } from '@hv/router-openapi'
import { createAnswer } from '@hv/router/internal'
import { PlaygroundError, evaluate } from './evaluate.ts'

/** What the reader edits. It is kept in the hash of the URL. */
export interface State {
  readonly routes: string
  readonly method: string
  readonly path: string
  readonly accept: string
}

export const initial: State = {
  routes: `import { api, cache, inherit, resources, version } from '@hv/router'

export const routes = api(
  { vendorString: 'acme' },
  version(1, { deprecated: '2026-06-01' }, cache({ as: 'v1' },
    resources('users', { only: ['index', 'show'] }),
    resources('sessions', { only: 'create' }))),
  version(2, cache({ as: 'v2' },
    inherit({ from: 'v1' }),
    resources('teams', { only: 'index' }))),
  version(3, inherit({ from: 'v2', except: 'sessions' })),
)
`,
  method: 'GET',
  path: '/api/users/7',
  accept: 'application/vnd.acme+json;version=2',
}

/** The hash of a state: what differs from the initial one. */
export function hashOf(state: State): string {
  const entries = Object.entries(state).filter(([key, value]) => value !== initial[key as keyof State])
  return new URLSearchParams(entries).toString()
}
/** The state in a hash. `file` names a route file instead of containing one. */
export function stateOf(hash: string, files: Readonly<Record<string, string>> = {}): State {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  const file = params.get('file') ?? ''
  const routes = Object.hasOwn(files, file) ? files[file]! : initial.routes
  return { ...initial, routes, ...Object.fromEntries([...params].filter(([key]) => Object.hasOwn(initial, key))) }
}

export interface Cell {
  readonly action: string
  readonly controller: string
  readonly inheritedFrom: number | null
  readonly isServing: boolean
}
/** A line of the table: a method and a path, and what each version does with it. */
export interface Line {
  readonly method: string
  readonly pattern: string
  readonly cells: readonly (Cell | undefined)[]
}
export interface Response {
  readonly status: number | null
  readonly title: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}
export type Outcome =
  | { readonly kind: 'mistake'; readonly message: string; readonly code: string; readonly line: number | null }
  | {
      readonly kind: 'routed'
      readonly versions: readonly number[]
      readonly lines: readonly Line[]
      readonly steps: readonly string[]
      readonly response: Response
      /** The version that responds, or the default one. */
      readonly version: number
    }

/** Declares the routes and routes the request, with the library itself. */
export function simulate({ routes, method, path, accept }: State): Outcome {
  let declared: Api
  try {
    declared = evaluate(routes)
  } catch (error) {
    const code = error instanceof RouterError ? error.code : ''
    return {
      kind: 'mistake',
      message: (error as Error).message.replace(`${code}: `, ''),
      code,
      line: error instanceof PlaygroundError ? error.line : null,
    }
  }
  const { result, steps } = explain(declared, { method, path, accept })
  const serving = result.kind === 'match' ? result.row : undefined
  const { versions } = declared.settings
  return {
    kind: 'routed',
    versions,
    lines: linesOf(routeTable(declared), versions, serving),
    steps,
    response: responseOf(declared, result),
    version: result.kind === 'match' ? result.version : declared.settings.defaultVersion,
  }
}

/** The OpenAPI document of a version, as JSON. Its actions have no schemas. */
export function documentOf({ routes }: State, version: number): string {
  const declared = evaluate(routes)
  const controllers: Record<number, Record<string, Record<string, () => void>>> = {}
  for (const { version: number, key, action } of routeTable(declared))
    ((controllers[number] ??= {})[key] ??= {})[action] = () => undefined
  const info = { title: declared.settings.vendorType, version: `${version}.0.0` }
  return textOf(openapi(declared as Api<Record<number, unknown>>, controllers, { version, info }))
}

function responseOf(declared: Api, result: ReturnType<typeof explain>['result']): Response {
  if (result.kind === 'miss' && result.code === 'unknown-path')
    return { status: null, title: 'Your app handles the request', headers: [], body: '' }
  const answer = createAnswer(declared, { get: () => true })(result)
  if (answer.kind === 'problem') {
    const { status, problem, type } = answer
    const headers = problem === null ? answer.headers : [['content-type', type] as const, ...answer.headers]
    return {
      status,
      title: problem?.title ?? 'Options',
      headers,
      body: problem === null ? '' : textOf(problem),
    }
  }
  const { row, version, params } = result as Extract<typeof result, { kind: 'match' }>
  const values = Object.entries(params).map(([name, value]) => `${name}: '${value}'`)
  return {
    status: 200,
    title: `Version ${version} responds`,
    headers: [['content-type', answer.type], ...answer.headers],
    body: `// Your handler returns the body. It may set another status.\n// ${row.controller}#${row.action}(${values.length > 0 ? `{ ${values.join(', ')} }` : ''})`,
  }
}

/** JSON with every list on one line. */
const textOf = (problem: object): string =>
  JSON.stringify(problem, null, 2).replaceAll(/\[[^\]]*\]/g, (list) =>
    list.replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  )

function linesOf(rows: readonly Row[], versions: readonly number[], serving: Row | undefined): readonly Line[] {
  const lines = new Map<string, Line & { cells: (Cell | undefined)[] }>()
  for (const row of rows) {
    const { method, pattern, action, controller, inheritedFrom } = row
    const key = `${method} ${pattern}`
    let line = lines.get(key)
    if (line === undefined) lines.set(key, (line = { method, pattern, cells: versions.map(() => undefined) }))
    line.cells[versions.indexOf(row.version)] ??= { action, controller, inheritedFrom, isServing: row === serving }
  }
  return [...lines.values()]
}
