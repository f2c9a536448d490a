export { createRouter } from './router.ts'
export type {
  ActionOptions,
  Context,
  FetchControllers,
  FetchHandler,
  FetchKind,
  RouterOptions,
  RouteMatch,
} from './types.ts'
