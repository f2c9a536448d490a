import type { FastifyRequest } from 'fastify'
import { forbidden, unauthorized } from '../http/errors.ts'
import type { UserId } from '../http/schemas.ts'
import { parseId } from '../http/user-id.ts'
import type { Actor, User, UserStore } from '../store/user-store.ts'
import type { TokenSubject, Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends the request; set by `authenticate`. */
    actor: Actor | null
    /** The user of the path, if there is one; set by `authenticateAndFind`. */
    foundUser: User | null
  }
}

/**
 * A hook: 401 unless the request carries a valid token of an existing user. Before it says so, it asks again for what is current: a
 * server that has left its cluster does not know the users that were added since.
 */
export const createAuthenticate = (store: UserStore, tokens: Tokens) =>
  async function authenticate(request: FastifyRequest): Promise<void> {
    const subject = readToken(request, tokens)
    let actor = await store.findActor(subject.id)
    if (!isActor(subject, actor)) actor = await store.findActor(subject.id, true)
    if (!isActor(subject, actor)) throw refusal()
    request.actor = actor
  }

/** A hook: as `authenticate`, but the same statement finds the user of the path, because reads are most of the requests. */
export const createAuthenticateAndFind = (store: UserStore, tokens: Tokens) =>
  async function authenticateAndFind(request: FastifyRequest): Promise<void> {
    const subject = readToken(request, tokens)
    const id = parseId((request.params as { id: unknown }).id) ?? subject.id // a wrong id is refused by the next hook
    let found = await store.findActorAndUser(subject.id, id)
    if (!isActor(subject, found.actor)) found = await store.findActorAndUser(subject.id, id, true)
    if (!isActor(subject, found.actor)) throw refusal()
    request.actor = found.actor
    request.foundUser = found.user
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

/** A hook that runs after `authenticate`: 403 unless an admin sends the request. */
export async function requireAdmin({ actor }: FastifyRequest): Promise<void> {
  if (actor!.role !== 'admin') throw forbidden('only an admin may create users')
}

/** A hook that runs after `authenticate` and `readId`: 403 unless the user of the path or an admin sends the request. */
export async function requireSelfOrAdmin({ actor, params }: FastifyRequest): Promise<void> {
  const { id, role } = actor!
  if (id !== (params as UserId).id && role !== 'admin')
    throw forbidden('only the user itself or an admin may do this')
}
