import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createSigner, createVerifier } from 'fast-jwt'
import { ConfigError, root } from '../config.ts'

/** What a valid token says: whose it is, and the token version it was made for. */
export interface TokenSubject {
  readonly id: number
  readonly tokenVersion: number
}

export interface Tokens {
  sign(subject: TokenSubject): string
  /** Null for anything that is not a valid token of ours. */
  verify(token: string): TokenSubject | null
}

const issuer = 'users-service'
const type = 'at+jwt'
const clockTolerance = 5

/** What the library does not check: that the claims have the types we wrote. */
const Claims = Type.Object({
  sub: Type.String({ pattern: '^[1-9][0-9]{0,15}$' }),
  tv: Type.Integer({ minimum: 0 }),
  iat: Type.Integer(),
  exp: Type.Integer(),
  jti: Type.String({ minLength: 1 }),
})

/**
 * Access tokens: JWTs signed with HS256 (RFC 7519, RFC 8725).
 *
 * @param lifetime in seconds
 */
export function createTokens(secret: string, lifetime: number): Tokens {
  const sign = createSigner({
    key: secret,
    algorithm: 'HS256',
    expiresIn: lifetime * 1000,
    iss: issuer,
    aud: issuer,
    header: { alg: 'HS256', typ: type, kid: 'hs256' },
  })
  const verify = createVerifier({
    key: secret,
    algorithms: ['HS256'],
    allowedIss: issuer,
    allowedAud: issuer,
    requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    checkTyp: type,
    clockTolerance: clockTolerance * 1000,
    cache: false,
  })

  return {
    sign: ({ id, tokenVersion }) => sign({ sub: String(id), tv: tokenVersion, jti: randomUUID() }),
    verify(token) {
      let claims: unknown
      try {
        claims = verify(token)
      } catch {
        return null
      }
      if (!Value.Check(Claims, claims) || claims.iat > Date.now() / 1000 + clockTolerance) return null
      return { id: Number(claims.sub), tokenVersion: claims.tv }
    },
  }
}

/** The secret of this machine, made on first use: tokens survive a restart. Not for production. */
export function localSecret(): { readonly secret: string; readonly file: string } {
  const file = join(root, 'data', 'access-token')
  try {
    mkdirSync(join(root, 'data'), { recursive: true })
    if (!existsSync(file)) createWhole(file, randomBytes(48).toString('base64url'))
    const secret = readFileSync(file, 'utf8')
    if (secret.length < 32) throw new Error('it is cut short; delete it for a new one')
    return { secret, file }
  } catch (error) {
    throw new ConfigError(`${file} cannot be used: ${(error as Error).message}. Or set ACCESS_TOKEN.`)
  }
}

/** Another process may do the same: the file is there whole or not at all, and the first one's stays. */
function createWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}
