import type { FastifyRequest } from 'fastify'
import { forbidden, unauthorized } from '../http/errors.ts'
import type { UserId } from '../http/schemas.ts'
import type { Actor, UserStore } from '../store/user-store.ts'
import type { Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends the request; set by `authenticate`. */
    actor: Actor | null
  }
}

/** A hook: 401 unless the request carries a valid token of an existing user. */
export const createAuthenticate = (store: UserStore, tokens: Tokens) =>
  async function authenticate(request: FastifyRequest): Promise<void> {
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const subject = token === undefined ? null : tokens.verify(token)
    const actor = subject === null ? null : await store.findActor(subject.id)
    if (actor === null || actor.tokenVersion !== subject!.tokenVersion)
      throw unauthorized('send Authorization: Bearer <jwt>, with the jwt of POST /users/login')
    request.actor = actor
  }

/** A hook that runs after `authenticate`: 403 unless an admin sends the request. */
export async function requireAdmin({ actor }: FastifyRequest): Promise<void> {
  if (actor!.role !== 'admin') throw forbidden('only an admin may create users')
}

/** A hook that runs after `authenticate` and `readId`: 403 unless the user of the path or an admin sends the request. */
export async function requireSelfOrAdmin({ actor, params }: FastifyRequest): Promise<void> {
  const { id, role } = actor!
  if (id !== (params as UserId).id && role !== 'admin') throw forbidden('only the user itself or an admin may do this')
}
