import { decodedPath } from '@hv/router-contract'

/** A request target as the router compares a URL: without dot segments. */
export const pathOf = (target: string): string => {
  const { pathname, search } = new URL(target, 'http://localhost')
  return decodedPath(pathname) + search
}

/** Deno and workerd keep dot segments in `request.url`. A new Request, for the path below a prefix, resolves them. */
export const pathOnDeno = (target: string): string =>
  target.startsWith('/mounted/') ? pathOf(target) : decodedPath(target)
