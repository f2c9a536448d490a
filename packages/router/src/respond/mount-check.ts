import type { Matcher } from '../match/matcher.ts'

/** Node, Bun and Deno have it. */
declare const process: { emitWarning?(text: string, options: { readonly code: string }): void } | undefined

/**
 * Warns when a router is mounted at the path that its API has already, such as `app.use('/api', router)` or
 * `app.register(router, { prefix: '/api' })`: the paths then start with `/api/api`.
 *
 * @param path - a path below the mount path that no version has
 * @returns whether it has warned: the API has the path with the end of the mount path in front
 */
export function warnOfMount(match: Matcher['match'], apiPath: string, mount: string, path: string): boolean {
  const start = apiPath === '' ? -1 : mount.lastIndexOf(apiPath)
  if (start < 0) return false
  const found = match('OPTIONS', mount.slice(start) + path, undefined)
  if (found.kind === 'miss' && found.code === 'unknown-path') return false
  if (typeof process === 'object')
    process.emitWarning?.(
      `The versioned router is mounted at '${mount}', and the paths of its API start with '${apiPath}' too, so they start with ` +
        `'${mount}${apiPath}' now. Set { path: '' } in api(), or mount the router without a path.`,
      { code: 'HV_MOUNT' },
    )
  return true
}
