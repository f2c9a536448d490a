// The Fastify releases that the adapter supports: both ends of the peer range, and the ends of each major version.
import corsFor5 from '@fastify/cors'
import rateLimitFor5 from '@fastify/rate-limit'
import corsFor4 from 'cors-for-4'
import fastify5 from 'fastify'
import fastify4 from 'fastify-4'
import fastify426 from 'fastify-4.26'
import fastify50 from 'fastify-5.0'
import rateLimitFor4 from 'rate-limit-for-4'

export interface Release {
  readonly version: string
  readonly fastify: typeof fastify5
  readonly cors: typeof corsFor5
  readonly rateLimit: typeof rateLimitFor5
}

const for4 = { cors: corsFor4, rateLimit: rateLimitFor4 } as never as Pick<
  Release,
  'cors' | 'rateLimit'
>

export const latest: Release = {
  version: '5 (latest)',
  fastify: fastify5,
  cors: corsFor5,
  rateLimit: rateLimitFor5,
}

/** The types of Fastify 4 differ from those of Fastify 5 in ways that no test uses. */
export const releases: readonly Release[] = [
  latest,
  { version: '5.0.0', fastify: fastify50 as never, cors: corsFor5, rateLimit: rateLimitFor5 },
  { version: '4 (latest)', fastify: fastify4 as never, ...for4 },
  { version: '4.26.0', fastify: fastify426 as never, ...for4 },
]
