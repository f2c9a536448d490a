import type { FastifyRequest } from 'fastify'
import { badRequest } from './errors.ts'

/** Returns the id in a path, or null unless it's a positive integer that a double can represent. */
export function parseId(text: unknown): number | null {
  const id = Number(text)
  return /^[1-9]\d{0,15}$/.test(String(text)) && Number.isSafeInteger(id) ? id : null
}

/**
 * A `preValidation` hook that turns the path's `:id` into the number that the schema describes, or
 * responds with 400.
 */
export async function readId({ params }: FastifyRequest): Promise<void> {
  const path = params as { id: unknown }
  const id = parseId(path.id)
  if (id === null)
    throw badRequest(`'${String(path.id)}' is not a user id. Send a positive integer.`)
  path.id = id
}
