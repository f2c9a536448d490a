import { type Io, paint, print, printJson } from '../output.ts'
import { loadRouteFile } from '../route-file/load.ts'
import * as cli from './define.ts'

const declare = (command: cli.Command) =>
  command
    .argument('<method>', 'GET', (text) => text.toUpperCase())
    .argument(
      '<path>',
      '/api/users/7',
      cli.parser(
        /^(?:\/|\*$|https?:\/\/)/i,
        'Pass the method first, then a path with a slash: GET /api/users/7.',
      ),
    )
    .option('--accept <header>', 'the Accept header')
    .option(...cli.routesOption)
    .option(...cli.jsonOption)

export const define: cli.Define = (command, run) =>
  declare(command).action((method, path, options) =>
    run((io) => explain(io, method, path, options)),
  )

async function explain(
  io: Io,
  method: string,
  path: string,
  options: cli.OptionsOf<typeof declare>,
): Promise<number> {
  const request = { method, path, accept: options.accept }
  const { routeFile, explanation } = await loadRouteFile(io, options.routes, { explain: request })
  const { steps, result, problem } = explanation!
  cli.reportRouteFile(io, routeFile, options)
  if (options.json === true) {
    printJson(io, { result, problem, steps })
    return 0
  }
  const header =
    options.accept === undefined ? 'without an Accept header' : `with Accept: ${options.accept}`
  print(io, paint(io.out, 'bold', `${request.method} ${path} ${header}`), '')
  for (const [i, line] of steps.entries()) print(io, `${String(i + 1).padStart(2)}. ${line}`)
  if (problem !== null) print(io, '', ...JSON.stringify(problem, null, 2).split('\n'))
  return 0
}
