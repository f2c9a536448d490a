import type { FastifyRequest } from 'fastify'
import { badRequest, forbidden, unauthorized } from '../http/errors.ts'
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

/** The id of the path; 400 for anything but a whole number that a double can hold. */
export function readId(request: FastifyRequest): number {
  const { id } = request.params as { id: string }
  if (!/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id)))
    throw badRequest(`'${id}' is no user id: it is a whole number from 1`)
  return Number(id)
}

/** A `preValidation` hook: the id is refused before the body. */
export const checkId = async (request: FastifyRequest): Promise<void> => void readId(request)

/** A `preHandler` hook: 403 unless the user of the path is the one who asks, or an admin asks. */
export async function requireSelfOrAdmin(request: FastifyRequest): Promise<void> {
  const { id, role } = request.actor!
  if (id !== readId(request) && role !== 'admin') throw forbidden('only the user itself or an admin may do this')
}
