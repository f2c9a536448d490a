export { type Action, type CreateAction, type SchemaTypeProvider, action, createAction } from './action.ts'
export { createRouter, isVersioned } from './router.ts'
export type { ActionOptions, ApiRequest, FastifyControllers, FastifyKind, RouterOptions } from './types.ts'
