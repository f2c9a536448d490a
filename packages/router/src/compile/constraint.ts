import type { Constraints } from '../declare/options.ts'
import { RouterError } from '../errors.ts'

/** Longer values never match a constraint, so no request can make a pattern read more. */
const maxLength = 256

/** Whether a decoded parameter value matches its constraint. */
export type ParamTest = (value: string) => boolean

/**
 * The constraints that apply to the parameters of a path, compiled to match whole values.
 *
 * @throws RouterError HV_CONSTRAINT for a pattern that does not compile
 */
export function compileConstraints(constraints: Constraints, path: string): Readonly<Record<string, RegExp>> {
  const params = path.split('/').flatMap((segment) => (segment.startsWith(':') ? [segment.slice(1)] : []))
  const applying = params.filter((param) => Object.hasOwn(constraints, param))
  if (applying.length === 0) return none
  return Object.freeze(Object.fromEntries(applying.map((param) => [param, compile(constraints[param]!, param, path)])))
}

const none = Object.freeze({})

function compile(pattern: RegExp | string, param: string, path: string): RegExp {
  const [source, flags] =
    typeof pattern === 'string' ? [pattern, ''] : [pattern.source, pattern.flags.replace(/[gmy]/g, '')]
  try {
    return Object.freeze(new RegExp(`^(?:${new RegExp(source, flags).source})$`, flags))
  } catch (error) {
    throw new RouterError('HV_CONSTRAINT', { path, param, pattern: source, reason: (error as Error).message })
  }
}

export const createParamTest =
  (pattern: RegExp): ParamTest =>
  (value) =>
    value.length <= maxLength && pattern.test(value)
