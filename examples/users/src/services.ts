import type { FastifyRequest } from 'fastify'
import type { Audit } from './audit.ts'
import type { Passwords } from './auth/passwords.ts'
import type { Tokens } from './auth/tokens.ts'
import type { Throttle } from './auth/throttle.ts'
import type { UserStore } from './store/user-store.ts'

/** What the controllers use. */
export interface Services {
  readonly store: UserStore
  readonly tokens: Tokens
  readonly throttle: Throttle
  readonly passwords: Passwords
  readonly audit: Audit
  /** Only admins create users (`REGISTRATION=admin`). */
  readonly closedRegistration: boolean
  readonly authenticate: (request: FastifyRequest) => Promise<void>
}
