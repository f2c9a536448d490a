import type { IncomingMessage } from 'node:http'
import type { Match, Matcher, Miss } from '@hv/router'

/**
 * Creates the check for a prefix that repeats the path of the API: `app.register(createRouter(...), { prefix: '/api' })`.
 * The paths then start with `/api/api`. The check warns once, when a request would match if the API had no path of its own.
 * It ends with the first request that matches.
 *
 * @param apiPath - the path prefix of the API: `/api`, or `''`
 */
export function createMountCheck(
  match: Matcher<IncomingMessage>['match'],
  prefix: string,
  apiPath: string,
): (found: Match | Miss, path: string) => void {
  let isDone = prefix === '' || apiPath === '' || !prefix.endsWith(apiPath)
  return (found, path) => {
    if (isDone) return
    isDone = !isUnknown(found)
    if (isDone || isUnknown(match('OPTIONS', apiPath + path, undefined))) return
    isDone = true
    process.emitWarning(
      `The versioned router is registered with the prefix '${prefix}', and the paths of its API start with '${apiPath}' ` +
        `too, so its paths start with '${prefix}${apiPath}'. Set { path: '' } in api(), or register the router without a ` +
        'prefix.',
      { code: 'HV_MOUNT' },
    )
  }
}

const isUnknown = (found: Match | Miss): boolean => found.kind === 'miss' && found.code === 'unknown-path'
