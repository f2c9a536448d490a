import type { Constraints } from '../declare/options.ts'
import { paramsOf } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import { didYouMean, listed } from '../wording.ts'

/** Longer values never match, so that no request keeps a regular expression busy for long. */
const maxLength = 256

/** Ruby's anchors and character classes, which mean something else in JavaScript. */
const rubySyntax = /^(?:\\[^AzZGhHR]|[^\\])*?(\\[AzZGhHR]|\[\[:\w+:\])/

/** Whether a decoded parameter value matches its constraint. */
export type ParamTest = (value: string) => boolean

/** The constraints of one node, and where they apply. */
export interface ConstraintSource {
  readonly constraints: Constraints
  /** The node in messages: `resources 'users' in version 1`. */
  readonly where: string
  /** The parameter's name in the route file, if that's different: `id` for `user_id`. */
  readonly param?: string
  /** The paths that the node's routes have. */
  readonly paths: string[]
}

/** @throws RouterError HV_CONSTRAINT for a constraint of a parameter that none of its paths has */
export function assertConstraintsApply(sources: Iterable<ConstraintSource>): void {
  for (const { constraints, where, paths } of sources) {
    const params = paths.flatMap(paramsOf)
    for (const [param, constraint] of Object.entries(constraints))
      if (paths.length > 0 && !params.includes(param)) {
        const hint = didYouMean(param, params)
        const reason = `applies to no parameter.${hint} Parameters of its paths: ${listed(params)}`
        throw constraintError(where, param, constraint, reason)
      }
  }
}

/** The constraints that apply to a parameter: those of the innermost node that has one for it. */
export const findConstraint = (
  sources: readonly ConstraintSource[],
  param: string,
): ConstraintSource | undefined =>
  sources.findLast(({ constraints }) => Object.hasOwn(constraints, param))

/**
 * Compiles the constraints that apply to the parameters of a path. Each matches whole values.
 *
 * @throws RouterError HV_CONSTRAINT for a constraint that doesn't compile or is written for Ruby
 */
export function compileConstraints(
  sources: readonly ConstraintSource[],
  path: string,
): Readonly<Record<string, RegExp>> {
  const compiled: Record<string, RegExp> = {}
  for (const param of paramsOf(path)) {
    const source = findConstraint(sources, param)
    if (source !== undefined) compiled[param] = compileConstraint(source, param)
  }
  return Object.freeze(compiled)
}

function compileConstraint(source: ConstraintSource, param: string): RegExp {
  const constraint = source.constraints[param]!
  let reason: string
  try {
    const { source: text, flags } = new RegExp(constraint)
    const ruby = rubySyntax.exec(text)?.[1]
    if (ruby === undefined)
      return Object.freeze(new RegExp(`^(?:${text})$`, flags.replace(/[gmy]/g, '')))
    reason =
      `contains ${ruby}, which means something else in JavaScript than in Ruby. ` +
      'Leave out anchors, because a constraint always matches the whole value'
  } catch (error) {
    reason = `doesn't compile: ${(error as Error).message}`
  }
  throw constraintError(source.where, source.param ?? param, constraint, reason)
}

function constraintError(
  where: string,
  param: string,
  constraint: RegExp | string,
  reason: string,
): RouterError {
  const text = typeof constraint === 'string' ? constraint : constraint.source
  return new RouterError('HV_CONSTRAINT', { where, param, constraint: text, reason })
}

export const createParamTest =
  (constraint: RegExp): ParamTest =>
  (value) =>
    value.length <= maxLength && constraint.test(value)

/** Returns false only if no value with a dot can match. */
export const mayAcceptDots = ({ source }: RegExp): boolean =>
  /\.|\\[DWSPpux0c]|\[\^|[^\w\]\\]-/.test(source)

/**
 * Whether the last quantifier is lazy. If it is, a path's extension is its format, rather than a
 * part of the value, as in Rails.
 */
export const isLazy = ({ source }: RegExp): boolean => /(?<!\\)[*+?}]\?\)*\$$/.test(source)
