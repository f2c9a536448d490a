import { describe, expect, it } from 'vitest'
import { ApiError, toApiError } from '../src/http/errors.ts'
import { StoreError } from '../src/store/database.ts'

const shown = (error: unknown, expose: boolean) => {
  const { statusCode, error: word, message } = toApiError(error, expose)
  return `${statusCode} ${word} ${message}`
}
const cause = Object.assign(new Error('driver'), { sql: 'SELECT secret' })

describe('toApiError', () => {
  it.each<[error: unknown, closed: string, open: string]>([
    [
      new StoreError('duplicate', "Duplicate entry 'ann'", cause),
      '409 USERNAME_TAKEN the username is taken',
      "409 USERNAME_TAKEN the username is taken: Duplicate entry 'ann'",
    ],
    [
      new StoreError('failed', 'Data too long', cause),
      '500 DATABASE_ERROR the database refused the operation',
      '500 DATABASE_ERROR the database refused the operation: Data too long',
    ],
    [
      new StoreError('unavailable', null, new Error('connect ECONNREFUSED 10.0.0.7:3306')),
      '503 DATABASE_UNAVAILABLE the database is unavailable',
      '503 DATABASE_UNAVAILABLE the database is unavailable',
    ],
    [
      new TypeError('x is undefined at line 7'),
      '500 INTERNAL internal error',
      '500 INTERNAL internal error',
    ],
    [
      Object.assign(new Error('Unsupported'), { statusCode: 415 }),
      '415 UNSUPPORTED_MEDIA_TYPE Unsupported',
      '415 UNSUPPORTED_MEDIA_TYPE Unsupported',
    ],
    [
      Object.assign(new Error('boom'), { statusCode: 502 }),
      '500 INTERNAL internal error',
      '500 INTERNAL internal error',
    ],
    [new ApiError(403, 'FORBIDDEN', 'no'), '403 FORBIDDEN no', '403 FORBIDDEN no'],
  ])('%s', (error, closed, open) => {
    expect(shown(error, false)).toBe(closed)
    expect(shown(error, true)).toBe(open)
  })
})
