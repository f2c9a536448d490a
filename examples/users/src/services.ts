import type { FastifyRequest } from 'fastify'
import type { Tokens } from './auth/tokens.ts'
import type { UserStore } from './store/user-store.ts'

/** What the controllers work with. */
export interface Services {
  readonly store: UserStore
  readonly tokens: Tokens
  readonly authenticate: (request: FastifyRequest) => Promise<void>
}
