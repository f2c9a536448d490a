import { explain as explainRequest } from '@hv/router'
import { type Io, paint, print, printJson } from './io.ts'
import { loadRoutes } from './load-routes.ts'

export interface ExplainOptions {
  readonly routes?: string
  readonly accept?: string
  readonly json?: boolean
}

/** Tells how one request is decided. */
export async function explain(io: Io, method: string, path: string, options: ExplainOptions): Promise<number> {
  const { api } = await loadRoutes(io, options.routes)
  const { story, result, problem } = explainRequest(api, method.toUpperCase(), path, options.accept)
  if (options.json === true) {
    printJson(io, { result, problem, story })
    return 0
  }
  const header = options.accept === undefined ? 'without an Accept header' : `with Accept: ${options.accept}`
  print(io, paint(io.out, 'bold', `${method.toUpperCase()} ${path} ${header}`), '')
  for (const [i, line] of story.entries()) print(io, `${String(i + 1).padStart(2)}. ${line}`)
  if (problem !== null) print(io, '', ...JSON.stringify(problem, null, 2).split('\n'))
  return 0
}
