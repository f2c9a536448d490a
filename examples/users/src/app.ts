import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import { createRouter } from '@hv/router-fastify'
import fastify, { type FastifyInstance } from 'fastify'
import { UsersController as UsersControllerV1 } from '../controllers/api/v1/users_controller.ts'
import { UsersController as UsersControllerV2 } from '../controllers/api/v2/users_controller.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { networkOf } from './auth/network.ts'
import { createThrottle } from './auth/throttle.ts'
import type { Tokens } from './auth/tokens.ts'
import { type Config, serviceVersion } from './config.ts'
import { serveDocs } from './http/docs.ts'
import { ApiError, replaceProblem, toApiError, toBody } from './http/errors.ts'
import { acceptJsonOnly } from './http/json-body.ts'
import { serveMetrics } from './http/metrics.ts'
import { routes } from './routes.ts'
import type { Lifecycle } from './ops/shutdown.ts'
import type { UserStore } from './store/user-store.ts'

export type AppConfig = Pick<
  Config,
  | 'exposeDatabaseErrors'
  | 'logLevel'
  | 'rateLimit'
  | 'loginFailures'
  | 'loginRate'
  | 'trustProxy'
  | 'closedRegistration'
>

/** Milliseconds for the headers and for the whole of a request: who is slower gets a 408. */
const requestTime = 15_000

/** The service without its socket: what `main.ts` listens with and tests inject into. */
export function buildApp(
  config: AppConfig,
  { store, tokens }: { readonly store: UserStore; readonly tokens: Tokens },
  lifecycle: Readonly<Lifecycle> = { draining: false },
  logTo?: Writable,
): FastifyInstance {
  const app = fastify({
    logger: { level: config.logLevel, serializers: { err: serializeError }, ...(logTo && { stream: logTo }) },
    trustProxy: config.trustProxy?.split(',').map((address) => address.trim()) ?? false,
    requestTimeout: requestTime,
    http: { headersTimeout: requestTime, connectionsCheckingInterval: 1000, maxHeaderSize: 16 * 1024 },
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  })

  acceptJsonOnly(app)
  // Without that directive the page of the documents works over plain HTTP, too.
  app.register(helmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } })
  if (config.rateLimit > 0)
    app.register(rateLimit, { max: config.rateLimit, timeWindow: 60_000, keyGenerator: ({ ip }) => networkOf(ip) })
  app.decorateRequest('actor', null)
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onSend', async (_request, reply) => void (lifecycle.draining && reply.header('connection', 'close')))
  app.setNotFoundHandler((request, reply) => {
    reply.code(404).send(toBody(new ApiError(404, 'NOT_FOUND', 'nothing is at this path'), request.id))
  })
  app.setErrorHandler((error, request, reply) => {
    const shown = toApiError(error, config.exposeDatabaseErrors)
    if (shown.statusCode >= 500) request.log.error({ err: error })
    reply.code(shown.statusCode).headers(shown.headers).type('application/json; charset=utf-8')
    reply.send(toBody(shown, request.id))
  })

  app.get('/health/live', () => ({ status: 'ok', version: serviceVersion }))
  app.get('/health/ready', async () => {
    if (lifecycle.draining) throw new ApiError(503, 'STOPPING', 'this instance is stopping')
    await store.ping()
    return { status: 'ok' }
  })

  app.get('/.well-known/jwks.json', () => tokens.keySet)

  const services = {
    store,
    tokens,
    throttle: createThrottle(store, config),
    closedRegistration: config.closedRegistration,
    authenticate: createAuthenticate(store, tokens),
  }
  const controllers = {
    1: { users: new UsersControllerV1(services) },
    2: { users: new UsersControllerV2(services) },
  }
  const router = createRouter(routes, controllers, { problem: replaceProblem }) // refuses controllers that lack something
  serveDocs(app, controllers as never)
  serveMetrics(app)
  app.register(router)
  return app
}

type LoggedError = { type: string; message: string; stack: string } & Record<string, unknown>
/** What of an error is logged: never the statement, whose text may hold values, nor its parameters. */
function serializeError(error: Error & { code?: string; errno?: number }): LoggedError {
  const { name, message, code, errno, stack = '', cause } = error
  const inner = cause instanceof Error ? { cause: serializeError(cause) } : {}
  return { type: name, message, code, errno, stack, ...inner }
}
