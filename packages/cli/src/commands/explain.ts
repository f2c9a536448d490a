import { type Io, paint, print, printJson } from '../output.ts'
import { loadRouteFile } from '../route-file/load.ts'
import {
  type Command,
  type Define,
  type OptionsOf,
  jsonOption,
  parser,
  reportRouteFile,
  routesOption,
} from './define.ts'

const declare = (command: Command) =>
  command
    .argument('<method>', 'GET', parser(/^[a-z]+$/i, 'Pass the method first, then the path: GET /api/users/7.'))
    .argument('<path>', '/api/users/7', parser(/^(?:\/|\*$|https?:\/\/)/i, 'A path starts with a slash: /api/users/7.'))
    .option('--accept <header>', 'the Accept header')
    .option(...routesOption)
    .option(...jsonOption)

export const define: Define = (command, run) =>
  declare(command).action((method, path, options) => run((io) => explain(io, method.toUpperCase(), path, options)))

/** Explains how one request is routed. */
async function explain(io: Io, method: string, path: string, options: OptionsOf<typeof declare>): Promise<number> {
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
