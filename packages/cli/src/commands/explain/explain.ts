import { type Io, paint, print, printJson } from '../../output.ts'
import { loadRouteFile } from '../../route-file/load.ts'
import { reportRouteFile } from '../context.ts'
import type { ExplainOptions } from './command.ts'

/** Explains how one request is routed. */
export async function explain(io: Io, method: string, path: string, options: ExplainOptions): Promise<number> {
  const request = { method, path, accept: options.accept }
  const { routeFile, explanation } = await loadRouteFile(io, options.routes, { explain: request })
  const { steps, result, problem } = explanation!
  reportRouteFile(io, routeFile, options)
  if (options.json === true) {
    printJson(io, { result, problem, steps })
    return 0
  }
  const header = options.accept === undefined ? 'without an Accept header' : `with Accept: ${options.accept}`
  print(io, paint(io.out, 'bold', `${request.method} ${path} ${header}`), '')
  for (const [i, line] of steps.entries()) print(io, `${String(i + 1).padStart(2)}. ${line}`)
  if (problem !== null) print(io, '', ...JSON.stringify(problem, null, 2).split('\n'))
  return 0
}
