// Nest's CacheInterceptor stores responses by URL, and all versions share their URLs.
import { translationOf } from '@hv/router/adapter'
import type { Type } from '@nestjs/common'
import type { ApplicationConfig } from '@nestjs/core'
import type { Served } from './handlers.ts'
import { ancestorsOf } from './inheritance.ts'
import { CACHE_KEY_METADATA } from './internals.ts'

/**
 * Refuses a `CacheInterceptor` that would give a version the body of a different one.
 *
 * @throws Error with the subclass that tells versions apart
 */
export function assertCacheKeys(served: readonly Served[], config: ApplicationConfig): void {
  const everywhere = [
    ...config.getGlobalInterceptors(),
    ...config.getGlobalRequestInterceptors().map(({ metatype }) => metatype),
  ]
  const readers = new Map<string, { readonly reader: unknown; readonly row: Served['row'] }>()
  for (const { metatype, row, olderAction } of served) {
    const method = metatype.prototype[row.action]
    const interceptors: readonly unknown[] = [
      ...everywhere,
      ...(Reflect.getMetadata('__interceptors__', metatype) ?? []),
      ...(Reflect.getMetadata('__interceptors__', method) ?? []),
    ]
    const hasKey = Reflect.hasMetadata(CACHE_KEY_METADATA, method)
    if (row.method !== 'GET' || !interceptors.some((it) => isShared(it, hasKey))) continue
    // A derived version shares the newer one's method, and its body is converted after the cache. But
    // if it reads the URL differently, the method gets different values.
    const { querystring, params } = translationOf(olderAction ?? {}).request
    const reader = querystring ?? params ?? method
    const first = readers.get(row.pattern)
    if (first !== undefined && first.reader !== reader)
      throw new Error(
        `VersionedApiModule.forRoot(): the CacheInterceptor of GET ${row.pattern} would send version ` +
          `${first.row.version}'s body to version ${row.version}, because both have the same key. ` +
          `Use this subclass instead${hasKey ? ', without @CacheKey()' : ''}:\n${subclass}`,
      )
    readers.set(row.pattern, first ?? { reader, row })
  }
}

const subclass = `class VersionCache extends CacheInterceptor {
  protected override trackBy(context: ExecutionContext) {
    const key = super.trackBy(context)
    return key && \`\${context.switchToHttp().getRequest().apiMatch?.version} \${key}\`
  }
}`

/** Whether an interceptor, or its class, is Nest's cache with keys that don't know the version. */
function isShared(interceptor: unknown, hasKey: boolean): boolean {
  const metatype = typeof interceptor === 'function' ? interceptor : Object(interceptor).constructor
  const trackers = [metatype as Type, ...ancestorsOf(metatype as Type)].filter(({ prototype }) =>
    Object.hasOwn(prototype, 'trackBy'),
  )
  return trackers.at(-1)?.name === 'CacheInterceptor' && (hasKey || trackers.length === 1)
}
