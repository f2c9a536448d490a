import { type Api, type Row, explain, mediaType, routeTable } from '@hv/router'
import { openapi } from '@hv/router-openapi'
import { createAnswer } from '@hv/router/internal'
import { type BodyLine, compareLines, jsonText } from './bodies.ts'
import { type Bodies, PlaygroundError, evaluate, evaluateBodies } from './evaluate.ts'
import type { State } from './initial.ts'

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
  /** The action that responds: `api/v2/users#show({ id: '7' })`. Empty if none does. */
  readonly handler: string
}
/** The response to the same request, if its client asks for a version. */
export interface Answer {
  readonly version: number
  readonly status: number | null
  readonly title: string
  /** The lines of the body, and whether the version before has them. */
  readonly lines: readonly BodyLine[]
}
export type Outcome =
  | {
      readonly kind: 'mistake'
      readonly file: 'routes' | 'bodies'
      readonly message: string
      readonly code: string
      readonly line: number
    }
  | {
      readonly kind: 'routed'
      readonly versions: readonly number[]
      readonly lines: readonly Line[]
      readonly steps: readonly string[]
      readonly response: Response
      /** One for each version. */
      readonly answers: readonly Answer[]
      /** The version that responds, or the default one. */
      readonly version: number
    }

/** Declares the routes and routes the request, with the library itself. */
export function simulate({ routes, bodies: samples, method, path, accept }: State): Outcome {
  let declared: Api
  let bodies: Bodies
  let file: 'routes' | 'bodies' = 'routes'
  try {
    declared = evaluate(routes)
    file = 'bodies'
    bodies = evaluateBodies(samples)
  } catch (error) {
    const { code = '', line = 1, message } = error as Partial<PlaygroundError> & Error
    return { kind: 'mistake', file, message, code, line }
  }
  const { result, steps } = explain(declared, { method, path, accept })
  const serving = result.kind === 'match' ? result.row : undefined
  const { versions } = declared.settings
  return {
    kind: 'routed',
    versions,
    lines: linesOf(routeTable(declared), versions, serving),
    steps,
    response: responseOf(declared, result, bodies),
    answers: answersOf(declared, bodies, { method, path }),
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
  return jsonText(openapi(declared as Api<Record<number, unknown>>, controllers, { version, info }))
}

/** What each version responds, and how its body differs from that of the version before; of the first, from the next. */
function answersOf(
  declared: Api,
  bodies: Bodies,
  request: { method: string; path: string },
): readonly Answer[] {
  const answers = declared.settings.versions.map((version) => {
    const accept = mediaType(declared as Api<Record<number, unknown>>, { version })
    const { status, title, body } = responseOf(
      declared,
      explain(declared, { ...request, accept }).result,
      bodies,
    )
    return { version, status, title, body }
  })
  return answers.map((answer, i) => ({
    ...answer,
    lines: compareLines(answer.body, answers[i === 0 ? 1 : i - 1]?.body),
  }))
}

/** The body of an action in a version: its own, or that of the nearest earlier version. */
function sampleOf(bodies: Bodies, { key, action }: Row, version: number): unknown {
  const samples = bodies[`${key}#${action}`] ?? {}
  const nearest = Object.keys(samples)
    .map(Number)
    .filter((n) => n <= version)
  return samples[Math.max(...nearest)]
}

function responseOf(
  declared: Api,
  result: ReturnType<typeof explain>['result'],
  bodies: Bodies,
): Response {
  if (result.kind === 'miss' && result.code === 'unknown-path')
    return {
      status: null,
      title: 'Your app handles the request',
      headers: [],
      body: '',
      handler: '',
    }
  const { serve, refuse } = createAnswer(declared, { get: () => true })
  if (result.kind === 'miss') {
    const { status, problem, type, headers: own } = refuse(result)
    const headers = problem === null ? own : [['content-type', type] as const, ...own]
    return {
      status,
      title: problem?.title ?? 'Options',
      headers,
      body: problem === null ? '' : jsonText(problem),
      handler: '',
    }
  }
  const { row, version, params } = result
  const answer = serve(result)
  const values = Object.entries(params).map(([name, value]) => `${name}: '${value}'`)
  const sample = sampleOf(bodies, row, version)
  return {
    status: 200,
    title: `Version ${version} responds`,
    headers: [['content-type', answer.type], ...answer.headers],
    body: sample === undefined ? '' : jsonText(sample),
    handler: `${row.controller}#${row.action}(${values.length > 0 ? `{ ${values.join(', ')} }` : ''})`,
  }
}

function linesOf(
  rows: readonly Row[],
  versions: readonly number[],
  serving: Row | undefined,
): readonly Line[] {
  const lines = new Map<string, Line & { cells: (Cell | undefined)[] }>()
  for (const row of rows) {
    const { method, pattern, action, controller, inheritedFrom } = row
    const key = `${method} ${pattern}`
    let line = lines.get(key)
    if (line === undefined)
      lines.set(key, (line = { method, pattern, cells: versions.map(() => undefined) }))
    line.cells[versions.indexOf(row.version)] ??= {
      action,
      controller,
      inheritedFrom,
      isServing: row === serving,
    }
  }
  return [...lines.values()]
}
