import { type JsonWebKey, createHash, createPublicKey, randomBytes, randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { createSigner, createVerifier } from 'fast-jwt'
import { ConfigError, packageRoot } from '../environment.ts'

/** The user of a valid token, and the token version that it was issued for. */
export interface TokenSubject {
  readonly id: number
  readonly tokenVersion: number
}

/** Issues and verifies access tokens. */
export interface Tokens {
  sign(subject: TokenSubject): string
  /** Null for anything but a valid token of this service. */
  verify(token: string): TokenSubject | null
  /** The public keys (RFC 7517); empty with a secret. */
  readonly keySet: { readonly keys: readonly JsonWebKey[] }
}

const issuer = 'users-service'
const type = 'at+jwt'
const clockTolerance = 5

/** The library does not check the types of claims. */
const claimsSchema = TypeCompiler.Compile(
  Type.Object({
    iss: Type.Literal(issuer),
    aud: Type.Literal(issuer),
    sub: Type.String({ pattern: '^[1-9][0-9]{0,15}$' }),
    tv: Type.Integer({ minimum: 0 }),
    iat: Type.Integer(),
    exp: Type.Integer(),
    jti: Type.String({ minLength: 1 }),
  }),
)

/** A key that verifies tokens, and may sign them. */
export interface Key {
  /** The `kid` of tokens and of the key set. */
  readonly id: string
  readonly algorithm: 'HS256' | 'EdDSA'
  /** Secret, or PEM of the private key; null for a key that only verifies. */
  readonly signs: string | null
  /** Secret, or PEM of the public key. */
  readonly verifies: string
  /** The public key for clients (RFC 7517); null for a secret. */
  readonly jwk: JsonWebKey | null
}

/**
 * Access tokens: JWTs (RFC 7519, RFC 8725). The last key that can sign does; each verifies the tokens with its id.
 *
 * @param lifetime seconds
 */
export function createTokens(keys: readonly Key[], lifetime: number): Tokens {
  const { id: kid, algorithm, signs } = keys.findLast((key) => key.signs !== null)!
  const sign = createSigner({
    key: signs!,
    algorithm,
    expiresIn: lifetime * 1000,
    iss: issuer,
    aud: issuer,
    header: { alg: algorithm, typ: type, kid },
  })
  const verifiers = new Map(
    keys.map((key) => [
      key.id,
      createVerifier({
        key: key.verifies,
        algorithms: [key.algorithm],
        allowedIss: issuer,
        allowedAud: issuer,
        requiredClaims: ['sub', 'iat', 'exp', 'jti'],
        checkTyp: type,
        clockTolerance: clockTolerance * 1000,
        cache: false,
      }),
    ]),
  )

  return {
    sign: ({ id, tokenVersion }) => sign({ sub: String(id), tv: tokenVersion, jti: randomUUID() }),
    verify(token) {
      let claims: unknown
      try {
        claims = verifiers.get(keyIdOf(token))?.(token)
      } catch {
        return null
      }
      if (!claimsSchema.Check(claims) || claims.iat > Date.now() / 1000 + clockTolerance)
        return null
      return { id: Number(claims.sub), tokenVersion: claims.tv }
    },
    keySet: { keys: keys.flatMap(({ jwk }) => (jwk === null ? [] : [jwk])) },
  }
}

/** The `kid` of a token's header. The verifier decodes the rest. */
const keyIdOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString()) as { kid: string }).kid

/** A secret that signs and verifies. */
export const secretKey = (secret: string): Key => ({
  id: 'hs256',
  algorithm: 'HS256',
  signs: secret,
  verifies: secret,
  jwk: null,
})

/**
 * Reads the Ed25519 keys of a folder, `*.pem`, in the order of their names. The last private key signs; all keys,
 * private and public, verify. Their ids are thumbprints (RFC 7638).
 *
 * @throws ConfigError when a key cannot be used or none can sign
 */
export function readKeys(folder: string): readonly Key[] {
  const refuse = (reason: string) =>
    new ConfigError(
      `JWT_KEYS: ${reason}. To create a key: openssl genpkey -algorithm ed25519 -out ${join(folder, 'a.pem')}`,
    )
  let names: readonly string[]
  try {
    names = readdirSync(folder)
      .filter((name) => name.endsWith('.pem'))
      .toSorted()
  } catch (error) {
    throw refuse(`${folder} cannot be read: ${(error as Error).message}`)
  }
  const keys = names.map((name): Key => {
    try {
      const pem = readFileSync(join(folder, name), 'utf8')
      const key = createPublicKey(pem)
      if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is not an Ed25519 key')
      const { crv, kty, x } = key.export({ format: 'jwk' })
      const id = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
      return {
        id,
        algorithm: 'EdDSA',
        signs: pem.includes('PRIVATE KEY') ? pem : null,
        verifies: key.export({ format: 'pem', type: 'spki' }) as string,
        jwk: { kty, crv, x, kid: id, use: 'sig', alg: 'EdDSA' } as JsonWebKey,
      }
    } catch (error) {
      throw refuse(`${join(folder, name)} cannot be used: ${(error as Error).message}`)
    }
  })
  if (!keys.some(({ signs }) => signs !== null)) throw refuse(`${folder} has no private key`)
  return keys
}

/** A generated secret in `data/`, so that tokens survive a restart. Not for production. */
export function localSecret(): { readonly secret: string; readonly file: string } {
  const file = join(packageRoot, 'data', 'access-token')
  try {
    mkdirSync(join(packageRoot, 'data'), { recursive: true })
    if (!existsSync(file)) createAtomically(file, randomBytes(48).toString('base64url'))
    const secret = readFileSync(file, 'utf8')
    if (secret.length < 32) throw new Error('it is incomplete; delete it to generate a new one')
    return { secret, file }
  } catch (error) {
    throw new ConfigError(
      `${file} cannot be used: ${(error as Error).message}. Or set ACCESS_TOKEN.`,
    )
  }
}

/** Creates a file at once with its content. If another process was first, its file stays. */
function createAtomically(file: string, text: string): void {
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
