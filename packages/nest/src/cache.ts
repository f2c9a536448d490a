// Nest's CacheInterceptor stores responses by URL, and all versions share their URLs.
import { translationOf } from '@hv/router/adapter'
import type { Served } from './handlers.ts'
import { ownersOf } from './inheritance.ts'
import type { NestContainer } from './internals.ts'

/**
 * Refuses a `CacheInterceptor` that would give a version the body of a different one.
 *
 * @throws Error with the subclass that tells versions apart
 */
export function assertCacheKeys(served: readonly Served[], container: NestContainer): void {
  const config = container.applicationConfig!
  const everywhere = [
    ...config.getGlobalInterceptors(),
    ...config.getGlobalRequestInterceptors().map(({ metatype }) => metatype),
  ]
  const readers = new Map<string, { readonly reader: unknown; readonly row: Served['row'] }>()
  for (const { metatype, row, olderAction } of served) {
    const method = metatype.prototype[row.action]
    const interceptors = [
      ...everywhere,
      ...[metatype, method].flatMap((on) => Reflect.getMetadata('__interceptors__', on) ?? []),
    ]
    const hasKey = Reflect.hasMetadata('cache_module:cache_key', method)
    // With a key, the interceptor stores the responses of any method.
    if (!hasKey && row.method !== 'GET') continue
    if (!interceptors.some((used) => used && isShared(used, hasKey))) continue
    // A derived version shares the newer one's method, and its body is converted after the cache.
    // But if it reads the URL differently, the method gets different values.
    const { querystring, params } = translationOf(olderAction ?? {}).request
    const reader = querystring ?? params ?? method
    const place = `${row.method} ${row.shape}`
    const first = readers.get(place) ?? { reader, row }
    readers.set(place, first)
    if (first.reader !== reader)
      throw new Error(
        `VersionedApiModule.forRoot(): the CacheInterceptor of ${row.method} ${row.pattern} would send ` +
          `version ${first.row.version}'s body to version ${row.version}, because both have the same key. ` +
          `Use this subclass instead, without @CacheKey():\n${subclass}`,
      )
  }
}

const subclass = `class VersionCache extends CacheInterceptor {
  protected override trackBy(context: ExecutionContext) {
    const key = super.trackBy(context)
    return key && \`\${context.switchToHttp().getRequest().apiMatch?.version} \${key}\`
  }
}`

/** Whether an interceptor, or its class, is Nest's cache with keys that don't know the version. */
function isShared(interceptor: any, hasKey: boolean): boolean {
  const trackers = ownersOf((interceptor.prototype ?? interceptor).constructor, 'trackBy')
  return trackers.at(-1)?.name === 'CacheInterceptor' && (hasKey || trackers.length === 1)
}
