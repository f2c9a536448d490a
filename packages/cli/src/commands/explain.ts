import { explain } from '@hv/router'
import { type Io, UsageError, print, printJson } from '../output.ts'
import type { RouteFile } from '../route-file/route-file.ts'
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
  const routeFile = await cli.openRouteFile(io, options)
  const { result, problem, ...explanation } = explain(routeFile.api, { method, path, accept })
  const steps = [...explanation.steps, ...misplacedVersion(path, accept, routeFile)]
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

/**
 * Says what to send instead, if the client put the version where the router doesn't look for it.
 */
function misplacedVersion(
  path: string,
  accept = '',
  { rows, settings }: RouteFile,
): readonly string[] {
  const inOtherType = /(?:^|,)(?!\s*application\/vnd\.)[^,]*;\s*version="?(\d+)/i.exec(accept)
  const inOtherForm = /(?:;\s*v|,\s*version)=(\d+)/i.exec(accept)
  const inQuery = /[?&](?:v|version|api-version)=(\d+)/i.exec(path)
  const inPath = /\/v(\d+)\//i.exec(path)
  const hasPath = rows.some(({ pattern }) => pattern.includes(inPath?.[0] ?? '/'))
  const version = (inOtherType ?? inOtherForm ?? inQuery ?? (hasPath ? null : inPath))?.[1]
  if (version === undefined) return []
  const type = `${settings.vendorType}+json;version=${version}`
  return [
    `The router only reads the version parameter of the API's own media type. Send Accept: ${type}.`,
  ]
}
