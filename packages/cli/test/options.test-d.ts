// The options of a command follow from its definition, so a misspelled one doesn't compile.
import { describe, expectTypeOf, it } from 'vitest'
import type { BumpOptions } from '../src/commands/bump.ts'
import type { CheckOptions } from '../src/commands/check/check.ts'
import type { InitOptions } from '../src/commands/init/init.ts'
import type { RoutesOptions } from '../src/commands/routes.ts'

describe('options', () => {
  it('have the types of their parsers', () => {
    expectTypeOf<BumpOptions['routes']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<CheckOptions['lock']>().toEqualTypeOf<string | true | undefined>()
    expectTypeOf<RoutesOptions['for']>().toEqualTypeOf<readonly number[] | undefined>()
    expectTypeOf<InitOptions['framework']>().toEqualTypeOf<
      'express' | 'fastify' | 'fetch' | 'nest' | undefined
    >()
  })

  it('have no other names', () => {
    const options = {} as BumpOptions
    // @ts-expect-error it's called controllers
    void options.controller
    // @ts-expect-error routes has it, bump has not
    void options.verb
  })
})
