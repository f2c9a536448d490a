/**
 * Serves versioned controllers in a Nest app, on Express and on Fastify.
 *
 * @module
 */
export { ApiMatch } from './api-match.ts'
export { before, withResponses } from './before.ts'
export { event } from './event.ts'
export { VersionedApiModule } from './module.ts'
export type {
  DerivedClass,
  EventController,
  NestControllers,
  OlderControllers,
  VersionedApiOptions,
} from './types.ts'
