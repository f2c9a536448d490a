import type { FastifyRequest } from 'fastify'
import { badRequest } from './errors.ts'

/** The id that a path has: a positive integer that a double can represent. Otherwise null. */
export function parseId(text: unknown): number | null {
  const id = Number(text)
  return /^[1-9]\d{0,15}$/.test(String(text)) && Number.isSafeInteger(id) ? id : null
}

/** A `preValidation` hook: makes the `:id` of the path a number, as the schema describes it, or refuses it with 400. */
export async function readId({ params }: FastifyRequest): Promise<void> {
  const path = params as { id: unknown }
  const id = parseId(path.id)
  if (id === null)
    throw badRequest(`'${String(path.id)}' is not a user id. Send a positive integer.`)
  path.id = id
}
