import type { FastifyRequest } from 'fastify'
import { badRequest } from './errors.ts'

/**
 * A `preValidation` hook: makes the `:id` of the path a number, as the schema describes it. 400 unless it is a positive
 * integer that a double can represent.
 */
export async function readId({ params }: FastifyRequest): Promise<void> {
  const path = params as { id: unknown }
  const id = Number(path.id)
  if (!/^[1-9]\d{0,15}$/.test(String(path.id)) || !Number.isSafeInteger(id))
    throw badRequest(`'${String(path.id)}' is not a user id. Send a positive integer.`)
  path.id = id
}
