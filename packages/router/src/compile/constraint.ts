import type { Constraints } from '../declare/options.ts'
import { paramsOf } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import { listed } from '../wording.ts'

/** Longer values never match a constraint, so no request can make a regular expression read more. */
const maxLength = 256

/** Ruby's anchors and classes, which mean something else in JavaScript. */
const rubySyntax = /^(?:\\[^AzZGhHR]|[^\\])*?(\\[AzZGhHR]|\[\[:\w+:\])/

/** Whether a decoded parameter value matches its constraint. */
export type ParamTest = (value: string) => boolean

/** By the constraints of a node: the paths to which they apply, each with a space after it. */
export type ConstraintUses = Map<Constraints, string>

export function useConstraints(
  uses: ConstraintUses,
  constraints: readonly Constraints[],
  path: string,
): void {
  for (const one of constraints) uses.set(one, `${uses.get(one) ?? ''}${path} `)
}

/** @throws RouterError HV_CONSTRAINT for a constraint of a parameter that none of its paths has */
export function assertConstraintUses(uses: ConstraintUses): void {
  for (const [constraints, paths] of uses) {
    const params = paramsOf(paths)
    for (const param in constraints)
      if (!params.includes(param))
        throw invalidConstraint(
          paths.split(' ')[0]!,
          param,
          constraints[param]!,
          `applies to no parameter. Its parameters: ${listed(params)}`,
        )
  }
}

/** The innermost constraint of a parameter. The constraints are those of the nodes around it, the outermost first. */
export const findConstraint = (
  constraints: readonly Constraints[],
  param: string,
): RegExp | string | undefined => constraints.findLast((one) => Object.hasOwn(one, param))?.[param]

/**
 * The constraints that apply to the parameters of a path, compiled to match whole values.
 *
 * @throws RouterError HV_CONSTRAINT for a constraint that does not compile, or that is Ruby's
 */
export function compileConstraints(
  constraints: readonly Constraints[],
  path: string,
): Readonly<Record<string, RegExp>> {
  let applying: Record<string, RegExp> | null = null
  const params = paramsOf(path)
  for (const [i, param] of params.entries()) {
    if (params.indexOf(param) < i)
      throw new RouterError('HV_PATH', { where: path, segment: `:${param}`, twice: true })
    const constraint = findConstraint(constraints, param)
    if (constraint !== undefined) (applying ??= {})[param] = compile(constraint, param, path)
  }
  return applying === null ? none : Object.freeze(applying)
}

const none = Object.freeze({})

function compile(constraint: RegExp | string, param: string, path: string): RegExp {
  let reason: string
  try {
    const { source, flags } = new RegExp(constraint)
    const ruby = rubySyntax.exec(source)?.[1]
    if (ruby === undefined)
      return Object.freeze(new RegExp(`^(?:${source})$`, flags.replace(/[gmy]/g, '')))
    reason = `contains ${ruby}, which means something else in JavaScript than in Ruby`
  } catch (error) {
    reason = `does not compile: ${(error as Error).message}`
  }
  throw invalidConstraint(path, param, constraint, reason)
}

function invalidConstraint(
  path: string,
  param: string,
  constraint: RegExp | string,
  reason: string,
): RouterError {
  const source = typeof constraint === 'string' ? constraint : constraint.source
  return new RouterError('HV_CONSTRAINT', { path, param, constraint: source, reason })
}

export const createParamTest =
  (constraint: RegExp): ParamTest =>
  (value) =>
    value.length <= maxLength && constraint.test(value)

/** Returns false only if no value with a dot can match. */
export const mayAcceptDots = ({ source }: RegExp): boolean =>
  /\.|\\[DWSPpux0c]|\[\^|[^\w\]\\]-/.test(source)

/** Whether the last quantifier is lazy: the extension of a path then belongs to the format, as in Rails. */
export const isLazy = ({ source }: RegExp): boolean => /(?<!\\)[*+?}]\?\)*\$$/.test(source)
