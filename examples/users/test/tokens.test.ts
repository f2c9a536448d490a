import { createHmac, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTokens, readKeys, secretKey } from '../src/auth/tokens.ts'

const secret = 'a secret of the tests that is long enough'
const tokens = createTokens([secretKey(secret)], 60)
const now = Math.floor(Date.now() / 1000)
const header = { alg: 'HS256', typ: 'at+jwt', kid: 'hs256' }
const claims = {
  iss: 'users-service',
  aud: 'users-service',
  sub: '7',
  tv: 0,
  jti: 'x',
  iat: now,
  exp: now + 60,
}

/** A token with these parts and a valid signature. */
function forge(parts: object, headerParts: object = {}, hash = 'sha256'): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = `${encode({ ...header, ...headerParts })}.${encode({ ...claims, ...parts })}`
  return `${body}.${createHmac(hash, secret).update(body).digest('base64url')}`
}

describe('tokens', () => {
  it('verify what they sign', () => {
    expect(tokens.verify(tokens.sign({ id: 7, tokenVersion: 3 }))).toEqual({
      id: 7,
      tokenVersion: 3,
    })
    expect(tokens.verify(forge({}))).toEqual({ id: 7, tokenVersion: 0 })
  })
  it('of one user are all different', () => {
    const signed = Array.from({ length: 100 }, () => tokens.sign({ id: 7, tokenVersion: 0 }))
    expect(new Set(signed).size).toBe(100)
  })
  it.each<[what: string, token: string]>([
    ['expired', forge({ exp: now - 60 })],
    ['without exp', forge({ exp: undefined })],
    ['with a text for exp', forge({ exp: 'never' })],
    ['not yet valid', forge({ nbf: now + 60 })],
    ['issued in the future', forge({ iat: now + 60 })],
    ['of another issuer', forge({ iss: 'another' })],
    ['for another audience', forge({ aud: 'another' })],
    ['of another type', forge({}, { typ: 'JWT' })],
    ['without a type', forge({}, { typ: undefined })],
    ['with another algorithm', forge({}, { alg: 'HS512' }, 'sha512')],
    ['with a critical extension', forge({}, { crit: ['x'], x: 1 })],
    ['with a number for sub', forge({ sub: 7 })],
    ['with an object for sub', forge({ sub: { id: 7 } })],
    ["with a sub that isn't an id", forge({ sub: '1abc' })],
    ['with sub 0', forge({ sub: '0' })],
    ['without a token version', forge({ tv: undefined })],
    ['without jti', forge({ jti: undefined })],
    [
      'signed with another secret',
      createTokens([secretKey("a different secret that's also long enough")], 60).sign({
        id: 7,
        tokenVersion: 0,
      }),
    ],
    ['cut short', forge({}).slice(0, -2)],
    ['with a fourth part', `${forge({})}.x`],
    ['empty', ''],
  ])('refuse one %s', (_what, token) => expect(tokens.verify(token)).toBeNull())
})

describe("a folder with both halves of a key, as during the README's rotation", () => {
  const pairs = ['first', 'second'].map(() => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    return {
      half: publicKey.export({ format: 'pem', type: 'spki' }),
      whole: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    }
  })
  const [old, next] = pairs as [(typeof pairs)[0], (typeof pairs)[0]]

  function tokensOf(files: Readonly<Record<string, string | Buffer>>) {
    const folder = mkdtempSync(join(tmpdir(), 'users-keys-'))
    for (const [name, pem] of Object.entries(files)) writeFileSync(join(folder, name), pem)
    const signer = createTokens(readKeys(folder), 60)
    rmSync(folder, { recursive: true })
    return signer
  }
  const withOne = tokensOf({ '1.pem': old.whole, '3.pem': next.whole })

  it.each([
    { '0.pem': next.half, '1.pem': old.whole, '3.pem': next.whole },
    { '1.pem': old.whole, '2.pem': next.half, '3.pem': next.whole },
    { '1.pem': old.whole, '3.pem': next.whole, '4.pem': next.half },
  ])('lists the key once, signs with it, and has the fingerprint of one half %#', (files) => {
    const withBoth = tokensOf(files)
    const kids = withBoth.keySet.keys.map(({ kid }) => kid)
    expect(kids.toSorted()).toEqual(withOne.keySet.keys.map(({ kid }) => kid).toSorted())
    expect(withBoth.fingerprint).toBe(withOne.fingerprint)
    const protectedHeader = withBoth.sign({ id: 7, tokenVersion: 0 }).split('.', 1)[0]!
    const { kid } = JSON.parse(Buffer.from(protectedHeader, 'base64url').toString()) as {
      kid: string
    }
    expect(kid).toBe(tokensOf({ '3.pem': next.whole }).keySet.keys[0]!.kid)
    expect(withOne.verify(withBoth.sign({ id: 7, tokenVersion: 0 }))).not.toBeNull()
  })
})
