/**
 * Serves versioned controllers in a Nest app, on Express and on Fastify.
 *
 * @module
 */
export { ApiMatch } from './api-match.ts'
export { before, withResponses } from './before.ts'
export { VersionedApiModule } from './module.ts'
export type {
  DerivedClass,
  NestControllers,
  OlderControllers,
  VersionedApiOptions,
} from './types.ts'
