import type { Match, Miss } from '@hv/router'
import { type PathOptions, type TargetReader, respell } from './request-target.ts'

/** Gives requests the URLs with which Fastify's router finds the routes that the plugin registers. */
export interface RoutableUrls {
  /** The URL of a matched request, spelled as its route declares it. Null when a parameter is over `maxParamLength`. */
  ofMatch(url: string, match: Match): string | null
  /** The URL of a refused request, or the path of the API where Fastify's router would not take it. */
  ofMiss(url: string, miss: Miss): string
  /** The path of the API itself, with the query of the request. */
  ofApi(url: string): string
}

/** @param apiPath - the path prefix of the API: `/api`, or `''` */
export function createRoutableUrls(
  { root, maxParamLength, caseSensitive }: PathOptions,
  { read, isCanonical }: TargetReader,
  apiPath: string,
): RoutableUrls {
  const lower = (path: string): string => (caseSensitive ? path : path.toLowerCase())
  const inside = lower(`${apiPath}/`)
  return { ofMatch, ofMiss, ofApi }

  function ofMatch(url: string, { route: { pattern }, params }: Match): string | null {
    if (pattern !== '/' && isCanonical(url)) return url
    const isTooLong = ([name, { length }]: [string, string]) => length > maxParamLength && !pattern.endsWith(`*${name}`)
    if (Object.entries(params).some(isTooLong)) return null
    const { prefix, path, query } = read(url)!
    return prefix + (pattern === '/' ? root : respell(path, pattern, params)) + query
  }

  function ofMiss(url: string, { code }: Miss): string {
    const { path } = read(url)!
    const isRoutable =
      code !== 'malformed-path' &&
      lower(path).startsWith(inside) &&
      (path.length <= maxParamLength || path.split('/').every(({ length }) => length <= maxParamLength))
    return isRoutable ? url : ofApi(url)
  }

  function ofApi(url: string): string {
    const { prefix, query } = read(url)!
    return prefix + (apiPath || '/') + query
  }
}
