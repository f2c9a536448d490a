import { RouterError } from './errors.ts'

/** Patterns per param, as written: a RegExp or its source. They match the whole decoded value. */
export type Constraints = Readonly<Record<string, RegExp | string>>

/** Longer values never fit a pattern: no request makes a pattern read more. */
const maxLength = 256

/** What a constrained param lets through. */
export type ParamTest = (value: string) => boolean

/**
 * Compiles the constraint of a param.
 *
 * @param path where it stands, for the message
 * @throws RouterError HV_CONSTRAINT for a pattern that does not compile
 */
export function createParamTest(param: string, pattern: RegExp | string, path: string): ParamTest {
  const source = typeof pattern === 'string' ? pattern : pattern.source
  const flags = typeof pattern === 'string' ? '' : pattern.flags.replace(/[gmy]/g, '')
  try {
    const whole = new RegExp(`^(?:${new RegExp(source, flags).source})$`, flags)
    return (value) => value.length <= maxLength && whole.test(value)
  } catch (error) {
    throw new RouterError(
      'HV_CONSTRAINT',
      `the constraint /${source}/ of ':${param}' in ${path || '/'} does not compile: ${(error as Error).message}.`,
      { param, path },
    )
  }
}
