import type { FastifyRequest } from 'fastify'
import { forbidden, passwordChangeRequired, unauthorized } from '../http/errors.ts'
import type { UserId } from '../http/schemas.ts'
import { parseId } from '../http/user-id.ts'
import type { Actor, User, UserStore } from '../store/user-store.ts'
import type { Audit } from '../audit.ts'
import type { TokenSubject, Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The user who sends the request. `authenticate` sets it. */
    actor: Actor | null
    /** The user in the path, if there is such a user. `authenticate` sets it. */
    foundUser: User | null
  }
}

/**
 * Creates a hook that responds with 401 unless the request carries an existing user's valid token.
 * It loads the user in the path with the same SQL statement. Before it responds with 401, it asks a
 * server that accepts writes, because a server that has left its cluster doesn't know about users
 * who were added since.
 */
export const createAuthenticate = (store: UserStore, tokens: Tokens, audit: Audit) =>
  async function authenticate(request: FastifyRequest): Promise<void> {
    const subject = readToken(request, tokens, audit)
    // The next hook refuses a malformed id.
    const id = parseId((request.params as { id?: unknown }).id) ?? subject.id
    let rows = await store.findActorAndUser(subject.id, id)
    if (!isStillValid(subject, rows.actor))
      rows = await store.findActorAndUser(subject.id, id, true)
    if (!isStillValid(subject, rows.actor)) {
      audit('token.revoked', { user: subject.id }, request)
      throw refusal()
    }
    request.actor = rows.actor
    request.foundUser = rows.user
  }

const refusal = () =>
  unauthorized('send Authorization: Bearer <jwt>, with the jwt of POST /users/login')

function readToken(request: FastifyRequest, tokens: Tokens, audit: Audit): TokenSubject {
  const token = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const subject = token === undefined ? null : tokens.verify(token)
  if (subject !== null) return subject
  if (token !== undefined) audit('token.invalid', {}, request)
  throw refusal()
}

const isStillValid = ({ tokenVersion }: TokenSubject, actor: Actor | null): boolean =>
  actor?.tokenVersion === tokenVersion

/**
 * Responds with 403 until users have replaced a password that somebody else chose for them. Runs
 * after `authenticate` and everything that responds with 400.
 */
export async function requireChosenPassword({ actor }: FastifyRequest): Promise<void> {
  if (actor?.mustChange) throw passwordChangeRequired()
}

/** Responds with 403 unless an admin sends the request. Runs after `authenticate`. */
export async function requireAdmin({ actor }: FastifyRequest): Promise<void> {
  if (actor!.role !== 'admin') throw forbidden('only an admin may create users')
}

/**
 * Responds with 403 unless the user in the path or an admin sends the request. Runs after
 * `authenticate` and `readId`.
 */
export async function requireSelfOrAdmin({ actor, params }: FastifyRequest): Promise<void> {
  const { id, role, mustChange } = actor!
  if (id !== (params as UserId).id && role !== 'admin')
    throw mustChange
      ? passwordChangeRequired()
      : forbidden('only the user itself or an admin may do this')
}
