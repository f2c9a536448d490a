import type { Constraints } from '../declare/options.ts'
import { RouterError } from '../errors.ts'
import { findPatternFault } from './check-pattern.ts'

/** Longer values never match a constraint, so no request can make a pattern read more. */
const maxLength = 256

/** Whether a decoded parameter value matches its constraint. */
export type ParamTest = (value: string) => boolean

/**
 * The constraints that apply to the parameters of a path, compiled to match whole values.
 *
 * @throws RouterError HV_CONSTRAINT for a pattern that does not compile or can never match
 */
export function compileConstraints(constraints: Constraints, path: string): Readonly<Record<string, RegExp>> {
  let applying: Record<string, RegExp> | null = null
  for (const segment of path.split('/')) {
    const param = segment.slice(1)
    if (/^[:*]/.test(segment) && Object.hasOwn(constraints, param))
      (applying ??= {})[param] = compile(constraints[param]!, param, path)
  }
  return applying === null ? none : Object.freeze(applying)
}

const none = Object.freeze({})

function compile(pattern: RegExp | string, param: string, path: string): RegExp {
  const source = typeof pattern === 'string' ? pattern : pattern.source
  const flags = typeof pattern === 'string' ? '' : pattern.flags.replace(/[gmy]/g, '')
  let compiled: RegExp
  let reason: string | null
  try {
    compiled = Object.freeze(new RegExp(`^(?:${new RegExp(source, flags).source})$`, flags))
    reason = findPatternFault(source)
  } catch (error) {
    reason = `does not compile: ${(error as Error).message}`
  }
  if (reason !== null) throw new RouterError('HV_CONSTRAINT', { path, param, pattern: source, reason })
  return compiled!
}

export const createParamTest =
  (pattern: RegExp): ParamTest =>
  (value) =>
    value.length <= maxLength && pattern.test(value)

/** Returns false only if no value with a dot can match. */
export const mayAcceptDots = ({ source }: RegExp): boolean => /\.|\\[DWSPpux0c]|\[\^|[^\w\]\\]-/.test(source)

/** Whether the last quantifier is lazy: the extension of a path then belongs to the format, as in Rails. */
export const isLazy = ({ source }: RegExp): boolean => /(?<!\\)[*+?}]\?\)*\$$/.test(source)
