import type { FastifyRequest } from 'fastify'
import type { Tokens } from './auth/tokens.ts'
import type { Throttle } from './auth/throttle.ts'
import type { UserStore } from './store/user-store.ts'

/** What the controllers work with. */
export interface Services {
  readonly store: UserStore
  readonly tokens: Tokens
  readonly throttle: Throttle
  /** Registration is the admins' (`REGISTRATION=admin`). */
  readonly closedRegistration: boolean
  readonly authenticate: (request: FastifyRequest) => Promise<void>
}
