import type { FastifyRequest } from 'fastify'
import type { Tokens } from './auth/tokens.ts'
import type { Throttle } from './auth/throttle.ts'
import type { UserStore } from './store/user-store.ts'

/** What the controllers use. */
export interface Services {
  readonly store: UserStore
  readonly tokens: Tokens
  readonly throttle: Throttle
  /** Only admins create users (`REGISTRATION=admin`). */
  readonly closedRegistration: boolean
  readonly authenticate: (request: FastifyRequest) => Promise<void>
  readonly authenticateAndFind: (request: FastifyRequest) => Promise<void>
}
