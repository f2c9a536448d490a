import type { Match, Matcher, Miss } from '@hv/router'
import type { Request } from 'express'
import { isUnknown } from './find.ts'

/**
 * Creates the check for a mount path that repeats the path of the API: `app.use('/api', createRouter(...))`.
 * Express removes the mount path from the URL, so such a router matches nothing. The check warns once, when a request
 * would match with its mount path. It ends with the first request that matches.
 */
export function createMountCheck(match: Matcher<Request>['match']): (found: Match | Miss, req: Request) => void {
  let isDone = false
  return (found, req) => {
    if (isDone) return
    isDone = !isUnknown(found)
    if (isDone) return
    const { baseUrl, path } = req // Express parses the URL for it
    if (baseUrl === '' || isUnknown(match('OPTIONS', baseUrl + path, undefined))) return
    isDone = true
    process.emitWarning(
      `The versioned router is mounted at '${baseUrl}', and the paths of its API start with '${baseUrl}' too, ` +
        "so it matches no request. Set { path: '' } in api(), or mount the router without a path: " +
        'app.use(createRouter(...)).',
      { code: 'HV_MOUNT' },
    )
  }
}
