import { type Io, UsageError, print, printJson } from '../output.ts'
import { loadRouteFile } from '../route-file/load.ts'
import * as cli from './define.ts'

const declare = (command: cli.Command) =>
  command
    .argument('<method>', 'GET')
    .argument('<path>', '/api/users/7')
    .option('--accept <header>', 'the Accept header')
    .option(...cli.routesOption)
    .option(...cli.jsonOption)

export const define: cli.Define = (command, run) =>
  declare(command).action((method, path, options) =>
    run((io) => explain(io, { method: method.toUpperCase(), path }, options)),
  )

/** Prints how a request is routed, step by step. */
async function explain(
  io: Io,
  { method, path }: { readonly method: string; readonly path: string },
  options: cli.OptionsOf<typeof declare>,
): Promise<number> {
  if (!/^(?:\/|\*$|https?:\/\/)/i.test(path)) {
    const isSwapped = method.startsWith('/')
    const request = isSwapped ? `${path} ${method.toLowerCase()}` : `${method} /${path}`
    throw new UsageError(`'${path}' isn't a path. Try: explain ${request}`)
  }
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
  print(io, { style: 'bold', text: `${method} ${path} ${header}` }, '')
  print(io, ...steps.map((step, index) => `${String(index + 1).padStart(2)}. ${step}`))
  if (problem !== null) print(io, '', ...JSON.stringify(problem, null, 2).split('\n'))
  return 0
}
