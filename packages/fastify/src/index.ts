/**
 * Serves an API with Fastify 4 and 5.
 *
 * @module
 */
export { before } from '@hv/router/adapter'
export {
  type Action,
  type CreateAction,
  type SchemaTypeProvider,
  action,
  createAction,
} from './action.ts'
export { createRouter, isVersioned } from './router.ts'
export type {
  ActionOptions,
  ApiRequest,
  DocumentedSchema,
  FastifyControllers,
  FastifyKind,
  PluginOptions,
  RouterOptions,
} from './types.ts'
export { validationErrorHandler } from './validation-error-handler.ts'
