import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import rateLimit from '@fastify/rate-limit'
import { createRouter } from '@hv/router-fastify'
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { createUsersController } from '../controllers/api/v1/users_controller.ts'
import { UsersController } from '../controllers/api/v2/users_controller.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { networkOf } from './lib/network.ts'
import { createAudit } from './audit.ts'
import { type Passwords, createPasswords } from './auth/passwords.ts'
import { createThrottle } from './auth/throttle.ts'
import type { Tokens } from './auth/tokens.ts'
import type { Config } from './config.ts'
import { commonHeaders } from './http/common-headers.ts'
import { serveDocs } from './http/docs.ts'
import {
  ApiError,
  badRequest,
  refuseConnection,
  replaceProblem,
  sendError,
  sendFrameworkError,
  toApiError,
} from './http/errors.ts'
import { type Lifecycle, serveHealth } from './http/health.ts'
import { acceptJsonOnly } from './http/json-body.ts'
import { serializers } from './http/log-serializers.ts'
import { serveMetrics } from './http/metrics.ts'
import { logRequest, whenEnded } from './http/request-log.ts'
import { createHttpServer, maxHeaderSize } from './http/server.ts'
import { routes } from './routes.ts'
import type { UserStore } from './store/user-store.ts'

/** What an app is built from. Only a test that hashes thousands of passwords needs other ones. */
interface Parts {
  readonly store: UserStore
  readonly tokens: Tokens
  readonly passwords?: Passwords
}

/**
 * Builds the service without a socket, for `main.ts` and for tests.
 *
 * @param logTo gets the log and the audit. Default: JSON on stdout, without an audit
 */
export function buildApp(
  config: Config,
  { store, tokens, passwords = createPasswords(config.hashConcurrency) }: Parts,
  lifecycle: Readonly<Lifecycle> = { prepared: true, draining: false },
  logTo?: Writable,
): FastifyInstance {
  const app = createServer(config, logTo)
  acceptJsonOnly(app)
  const count = serveMetrics(app, tokens, lifecycle)
  app.addHook('onRequest', (request, reply, done) => {
    whenEnded(request, reply, (ended) => {
      logRequest(ended)
      count(ended)
    })
    done()
  })
  addHooks(app, config, lifecycle)
  app.setNotFoundHandler((request, reply) =>
    sendError(new ApiError(404, 'NOT_FOUND', 'there is nothing at this path'), request, reply),
  )
  app.setErrorHandler((error, request, reply) => {
    const shown = toApiError(error, config.exposeDatabaseErrors)
    if (shown.statusCode >= 500) request.log.error({ err: error })
    sendError(shown, request, reply)
  })

  const audit = createAudit((line) => void logTo?.write(line))
  const services = {
    store,
    tokens,
    audit,
    passwords,
    throttle: createThrottle(store, config),
    closedRegistration: config.closedRegistration,
    authenticate: createAuthenticate(store, tokens, audit),
  }
  const users = new UsersController(services)
  const controllers = {
    1: { users: createUsersController(users) },
    2: { users },
  }
  // Throws if a controller lacks an action.
  const router = createRouter(routes, controllers, { problem: replaceProblem })
  serveHealth(app, store, lifecycle)
  app.get('/.well-known/jwks.json', () => tokens.keySet)
  serveDocs(app, controllers)
  app.register(router)
  return app
}

function createServer({ logLevel, trustProxy }: Config, logTo?: Writable): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: { level: logLevel, serializers, ...(logTo && { stream: logTo }) },
    trustProxy: trustProxy?.split(',').map((address) => address.trim()) ?? false,
    serverFactory: createHttpServer,
    // Each request gets one line, when it has ended.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: maxHeaderSize }, // however long an id is, `readId` refuses it
    return503OnClosing: false,
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, app.log),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  })
  return app
}

/** Adds hooks to the root, so that they run for every request, even if no route serves it. */
function addHooks(
  app: FastifyInstance,
  { rateLimit: max }: Config,
  lifecycle: Readonly<Lifecycle>,
): void {
  app.decorateRequest('actor', null)
  app.decorateRequest('foundUser', null)
  app.decorateRequest('refusal', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id))
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (lifecycle.draining) reply.header('connection', 'close')
    done()
  })
  if (max > 0) {
    app.register(rateLimit, {
      global: false,
      max,
      timeWindow: 60_000,
      keyGenerator: ({ ip }) => networkOf(ip),
      allowList: ({ routeOptions }) => routeOptions.url === '/health/live',
    })
    app.after(() => app.addHook('onRequest', app.rateLimit()))
  }
  app.after(() => app.addHook('onRequest', checkHeaderCounts))
}

/**
 * Refuses repeated headers, because a proxy may read a different one than Node does. HTTP/1.1
 * requires Host.
 */
function checkHeaderCounts(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const { rawHeaders, httpVersion } = raw
  let [authorizations, hosts] = [0, 0]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    if (name === 'authorization') authorizations++
    else if (name === 'host') hosts++
  }
  if (authorizations > 1) done(badRequest('send the header Authorization once'))
  else if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    reply.header('connection', 'close') // RFC 9112, section 3.2: nobody can tell for whom the next request is
    done(badRequest('send the header Host once'))
  } else done()
}
