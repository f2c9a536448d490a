/**
 * Serves versioned controllers in a Nest app, on Express and on Fastify.
 *
 * @module
 */
export { ApiMatch } from './api-match.ts'
export { VersionedApiModule } from './module.ts'
export type { NestControllers, VersionedApiOptions } from './types.ts'
