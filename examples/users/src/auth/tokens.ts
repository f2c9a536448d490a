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

/** A valid token's user, and the token version that it was issued for. */
export interface TokenSubject {
  readonly id: number
  readonly tokenVersion: number
}

/** Issues and verifies access tokens. */
export type Tokens = ReturnType<typeof createTokens>

const issuer = 'users-service'
const type = 'at+jwt'
const clockTolerance = 5

/** fast-jwt doesn't check the claims' types, so we do. */
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

/** A key that verifies tokens. It may also be able to sign them. */
export interface Key {
  /** The tokens' and the key set's `kid`. */
  readonly id: string
  readonly algorithm: 'HS256' | 'EdDSA'
  /** The secret, or the private key as PEM. Null if the key only verifies. */
  readonly signs: string | null
  /** The secret, or the public key as PEM. */
  readonly verifies: string
  /** The public key that clients can fetch (RFC 7517). Null for a secret. */
  readonly jwk: JsonWebKey | null
}

/**
 * Access tokens are JWTs (RFC 7519, RFC 8725). Each key verifies the tokens that carry its id, and
 * the last key that can sign signs new ones.
 *
 * @param lifetime in seconds
 */
export function createTokens(keys: readonly Key[], lifetime: number) {
  const { id: kid, algorithm, signs } = keys.findLast((key) => key.signs !== null)!
  const sign = createSigner({
    key: signs!,
    algorithm,
    expiresIn: lifetime * 1000,
    iss: issuer,
    aud: issuer,
    header: { alg: algorithm, typ: type, kid },
  })
  // During a rotation, a folder may have both halves of a key, but it's one key.
  const distinct = [...new Map(keys.map((key) => [key.id, key])).values()]
  const verifiers = new Map(
    distinct.map((key) => [
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
    sign: ({ id, tokenVersion }: TokenSubject) =>
      sign({ sub: String(id), tv: tokenVersion, jti: randomUUID() }),
    /** Returns null for anything but a valid token that this service issued. */
    verify(token: string): TokenSubject | null {
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
    /** The public keys (RFC 7517); empty with a secret. */
    keySet: { keys: distinct.flatMap(({ jwk }) => (jwk === null ? [] : [jwk])) },
    /** Tells whether two instances verify with the same keys, without telling what they are. */
    fingerprint: sha256(
      distinct
        .map(({ verifies }) => verifies)
        .toSorted()
        .join(),
    ).slice(0, 8),
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Reads the `kid` only, because the verifier decodes everything else anyway. */
const keyIdOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString()) as { kid: string }).kid

/** Turns a secret into a key that signs and verifies. */
export const secretKey = (secret: string): Key => ({
  id: 'hs256',
  algorithm: 'HS256',
  signs: secret,
  verifies: secret,
  jwk: null,
})

/**
 * Reads a folder's Ed25519 keys (`*.pem`), sorted by file name. The last private key signs, and all
 * keys verify. A key's id is its thumbprint (RFC 7638).
 *
 * @throws ConfigError if a key can't be used, or none can sign
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
    throw refuse(`${folder} can't be read: ${(error as Error).message}`)
  }
  const keys = names.map((name): Key => {
    try {
      const pem = readFileSync(join(folder, name), 'utf8')
      const key = createPublicKey(pem)
      if (key.asymmetricKeyType !== 'ed25519') throw new Error("it isn't an Ed25519 key")
      const { crv, kty, x } = key.export({ format: 'jwk' })
      const id = sha256(JSON.stringify({ crv, kty, x }))
      return {
        id,
        algorithm: 'EdDSA',
        signs: pem.includes('PRIVATE KEY') ? pem : null,
        verifies: key.export({ format: 'pem', type: 'spki' }) as string,
        jwk: { kty, crv, x, kid: id, use: 'sig', alg: 'EdDSA' } as JsonWebKey,
      }
    } catch (error) {
      throw refuse(`${join(folder, name)} can't be used: ${(error as Error).message}`)
    }
  })
  if (!keys.some(({ signs }) => signs !== null)) throw refuse(`${folder} has no private key`)
  return keys
}

/** Generates a secret and keeps it in `data/`, so that a developer's tokens survive a restart. */
export function localSecret(): { readonly secret: string; readonly file: string } {
  const file = join(packageRoot, 'data', 'access-token')
  try {
    mkdirSync(join(packageRoot, 'data'), { recursive: true })
    if (!existsSync(file)) createAtomically(file, randomBytes(48).toString('base64url'))
    const secret = readFileSync(file, 'utf8')
    if (secret.length < 32) throw new Error("it's incomplete; delete it to generate a new one")
    return { secret, file }
  } catch (error) {
    throw new ConfigError(
      `${file} can't be used: ${(error as Error).message}. Or set ACCESS_TOKEN.`,
    )
  }
}

/**
 * Creates a file together with its content. If another process was faster, we keep that process's
 * file.
 */
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
