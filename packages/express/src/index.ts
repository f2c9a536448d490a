export { createRouter } from './router.ts'
export {
  type ActionOptions,
  type ApiRequest,
  type ApiRouter,
  type ExpressControllers,
  type ExpressKind,
  type Middleware,
  type RouterOptions,
  action,
} from './types.ts'
