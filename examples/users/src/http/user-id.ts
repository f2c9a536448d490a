import type { FastifyRequest } from 'fastify'
import { badRequest } from './errors.ts'

/** The `:id` of the path; 400 unless it is a positive integer that a double can represent. */
export function readId(request: FastifyRequest): number {
  const { id } = request.params as { id: string }
  if (!/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id)))
    throw badRequest(`'${id}' is not a user id. Send a positive integer.`)
  return Number(id)
}

/** A `preValidation` hook: refuses a malformed id before the body is validated. */
export const checkId = async (request: FastifyRequest): Promise<void> => void readId(request)
