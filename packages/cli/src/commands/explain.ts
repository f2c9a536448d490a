import { type Io, UsageError, print, printJson } from '../output.ts'
import * as cli from './define.ts'

export const declare = (command: cli.Command) =>
  command
    .argument('<method>', 'GET')
    .argument('<path>', '/api/users/7')
    .option('--accept <header>', 'the Accept header')
    .option(...cli.routesOption)
    .option(...cli.jsonOption)

/** Prints how a request is routed, step by step. */
export async function run(
  io: Io,
  verb: string,
  path: string,
  options: cli.OptionsOf<typeof declare>,
): Promise<number> {
  const method = verb.toUpperCase()
  const { accept } = options
  if (!/^(?:\/|\*$|https?:\/\/)/i.test(path)) {
    const isSwapped = method.startsWith('/')
    const request = isSwapped ? `${path} ${verb}` : `${method} /${path}`
    throw new UsageError(`'${path}' isn't a path. Try: explain ${request}`)
  }
  const explain = { method, path, accept }
  const { explanation } = await cli.openRouteFile(io, options, { explain })
  const { steps, result, problem } = explanation!
  if (options.json === true) {
    printJson(io, { result, problem, steps })
    return 0
  }
  const header = accept === undefined ? 'without an Accept header' : `with Accept: ${accept}`
  print(io, { style: 'bold', text: `${method} ${path} ${header}` }, '')
  print(io, ...steps.map((step, index) => `${String(index + 1).padStart(2)}. ${step}`))
  if (problem !== null) {
    print(io, '')
    printJson(io, problem)
  }
  return 0
}
