import { expect, it } from 'vitest'
import { canMatch } from '../../src/commands/check/can-match.ts'

/** As the router compiles a constraint. */
const compile = ({ source, flags }: RegExp): RegExp => new RegExp(`^(?:${source})$`, flags)

it.each([
  /\d+(?=x)/,
  /\d+(?=xy|z)/,
  /(?<=a)b/,
  /(?=a)\d+/,
  /(?=ab)ac/,
  /(?=.{5})\w{3}/,
  /(a(?=b))c/,
  /\d+(?!$)/,
  /(?<!^)\d/,
  /a\bb/,
  /\w+(?!.*)x/,
  /a^b/m,
  /a{257}/,
  /(?:[a-z]{20}){13}/u,
  new RegExp('[\\d&&[a-z]]+', 'v'),
])('%s never matches', async (pattern) => expect(await canMatch(compile(pattern))).toBe(false))

it.each<[RegExp, value: string]>([
  [/a{256}/, 'a'.repeat(256)],
  [/a{0,400}/, 'a'],
  [/\d+(?=x|$)/, '1'],
  [/(?<!a)b/, 'b'],
  [/\bfoo\b/, 'foo'],
  [/\Bfoo|a\Bb/, 'ab'],
  [/(?=.*[a-z])(?!.*--)[a-z-]+/, 'a-b'],
  [/(?!.*\.$)[\w.]+/, 'a.b'],
  [/(?=.*\d)[a-z\d]{8,}/, 'abcdefg1'],
  [/(?!new$)[a-z]+/, 'old'],
  [/(a)\1/, 'aa'],
  [/^a$\n^b$/m, 'a\nb'],
  [/[^/]+/, 'x'],
  [/\p{L}+/u, 'é'],
  [new RegExp('[\\p{L}--[a-z]]', 'v'), 'A'],
  [/(?!(?!a))a/, 'a'],
  [/(?<=(?=ab)a)b|ab(?<=ab)/, 'ab'],
])('%s matches %s', async (pattern, value) => {
  expect(compile(pattern).test(value)).toBe(true)
  expect(await canMatch(compile(pattern))).toBe(true)
})

it('throws for a back reference to many values', async () => {
  await expect(canMatch(/^(?:(\d+)-\1)$/)).rejects.toThrow('Backreferences are not supported')
})
