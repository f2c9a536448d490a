import type { FastifyRequest } from 'fastify'
import { forbidden, unauthorized } from '../http/errors.ts'
import type { UserId } from '../http/schemas.ts'
import { parseId } from '../http/user-id.ts'
import type { Actor, User, UserStore } from '../store/user-store.ts'
import type { TokenSubject, Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The user who sends the request. `authenticate` sets it. */
    actor: Actor | null
    /** The user in the path, if there is such a user. `authenticateAndFind` sets it. */
    foundUser: User | null
  }
}

/**
 * Creates a hook that responds with 401 unless the request carries an existing user's valid token. Before it refuses, it asks a
 * server that takes writes, because one that has left its cluster doesn't know the users that were added since.
 */
export const createAuthenticate = (store: UserStore, tokens: Tokens) =>
  async function authenticate(request: FastifyRequest): Promise<void> {
    const subject = readToken(request, tokens)
    let actor = await store.findActor(subject.id)
    if (!isActor(subject, actor)) actor = await store.findActor(subject.id, true)
    if (!isActor(subject, actor)) throw refusal()
    request.actor = actor
  }

/** Creates a hook that also finds the user in the path. Most requests are reads, so they get by with one statement. */
export const createAuthenticateAndFind = (store: UserStore, tokens: Tokens) =>
  async function authenticateAndFind(request: FastifyRequest): Promise<void> {
    const subject = readToken(request, tokens)
    const id = parseId((request.params as { id: unknown }).id) ?? subject.id // the next hook refuses a malformed id
    let rows = await store.findActorAndUser(subject.id, id)
    if (!isActor(subject, rows.actor)) rows = await store.findActorAndUser(subject.id, id, true)
    if (!isActor(subject, rows.actor)) throw refusal()
    request.actor = rows.actor
    request.foundUser = rows.user
  }

const refusal = () =>
  unauthorized('send Authorization: Bearer <jwt>, with the jwt of POST /users/login')

function readToken({ headers }: FastifyRequest, tokens: Tokens): TokenSubject {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.authorization ?? '')?.[1]
  const subject = token === undefined ? null : tokens.verify(token)
  if (subject === null) throw refusal()
  return subject
}

const isActor = ({ tokenVersion }: TokenSubject, actor: Actor | null): boolean =>
  actor?.tokenVersion === tokenVersion

/** Responds with 403 unless an admin sends the request. Runs after `authenticate`. */
export async function requireAdmin({ actor }: FastifyRequest): Promise<void> {
  if (actor!.role !== 'admin') throw forbidden('only an admin may create users')
}

/** Responds with 403 unless the user in the path or an admin sends the request. Runs after `authenticate` and `readId`. */
export async function requireSelfOrAdmin({ actor, params }: FastifyRequest): Promise<void> {
  const { id, role } = actor!
  if (id !== (params as UserId).id && role !== 'admin')
    throw forbidden('only the user itself or an admin may do this')
}
