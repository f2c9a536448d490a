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
  const explain = { method, path, accept }
  const routeFile = await cli.openRouteFile(io, options, { explain })
  const { result, problem, ...explanation } = routeFile.explanation!
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
 * What to send instead, for a request whose version is where the router doesn't look: in a type
 * other than the vendor's, in the query, or in the path.
 */
function misplacedVersion(
  path: string,
  accept: string | undefined,
  { rows, settings }: RouteFile,
): readonly string[] {
  const { prefix, vendorType } = settings
  const advice = (version: string) => `Send Accept: ${vendorType}+json;version=${version}.`
  for (const range of accept?.split(',') ?? []) {
    const [, type, version] = /^\s*([^;\s]+).*;\s*version="?(\d+)/i.exec(range) ?? []
    const isVendor = type?.toLowerCase().startsWith('application/vnd.') === true
    if (version !== undefined && !isVendor)
      return [
        `version=${version} only counts in the API's own type, not in ${type}. ${advice(version)}`,
      ]
  }
  const [, inQuery] = /[?&](?:v|version|api-version)=(\d+)/i.exec(path) ?? []
  if (inQuery !== undefined)
    return [`The router doesn't read a version from the query. ${advice(inQuery)}`]
  const [segment, inPath] = /\/v(\d+)(?=\/)/i.exec(path) ?? []
  const without = path.replace(segment ?? '', '')
  const known = [without, prefix + without].find((candidate) =>
    rows.some(({ pattern }) => fits(pattern, candidate)),
  )
  if (inPath === undefined || known === undefined) return []
  return [`The router doesn't read a version from the path. Request ${known}. ${advice(inPath)}`]
}

/** Whether a path has the segments of a pattern: `/api/users/7` fits `/api/users/:id`. */
function fits(pattern: string, path: string): boolean {
  const sent = path.replace(/[?#].*/, '').split('/')
  const expected = pattern.replace('(.:format)', '').split('/')
  const isEqual = (text: string, i: number) => text.startsWith(':') || text === sent[i]
  return sent.length === expected.length && expected.every(isEqual)
}
