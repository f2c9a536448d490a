import { RouterError, type RouterErrorDetails } from '../errors.ts'
import type { ActionSchema } from '../types/schema.ts'
import type { Became, Step } from './change.ts'
import type { Found, Refuse } from './find-schema.ts'

/** A step of a change that is being undone. */
export interface ChangeStep<One extends Step = Step> {
  readonly about: string
  readonly one: One
  /** Its place in the change: `2 of 5`. */
  readonly became: string
  /** What was found in a schema. Actions share schemas; frameworks compile what is made of them once if it is shared too. */
  readonly known: WeakMap<object, Found>
  /** The actions and their schemas before it was undone. */
  readonly tried: Map<string, ActionSchema>
  /** The actions that it changed. */
  readonly touched: Set<string>
}

/** Whether a schema became another one in a step. */
export const isBecame = (step: ChangeStep): step is ChangeStep<Became> => 'newer' in step.one

type Reason = RouterErrorDetails['HV_CHANGE']['reason']

/** Why a change cannot be undone, and what to do. */
const problems: Readonly<Record<Reason, string>> = {
  unused:
    'no action has its newer schema. Pass became() the same schema object, or give both an $id, and declare inner changes first',
  'no-up': 'a request contains its newer schema. Add up, or list the changed actions in only',
  'no-down': 'a response contains its newer schema. Add down, or list the changed actions in only',
  ambiguous:
    'a value does not show whether its newer schema applies, as in anyOf. Pass became() the outer schema',
  recursive: 'its newer schema is part of one that contains itself. Write a controller',
  library:
    'its newer schema is part of a transformation or a default. Pass became() the outer schema',
  partial:
    'a body is a partial of its newer schema. Add became() of the partials, or list the changed actions in only',
  status:
    'no response has its newer status, or one also has the older. List the changed actions in only',
  async: 'its conversion returns a promise. Write a controller',
  drifted:
    'a schema has the $id of its newer schema, but other contents. Declare what changed, or use another $id',
}

/** Returns the function that throws the error about a step that cannot be undone, for an action such as `users.index`. */
export const refuseIn =
  ({ about, became }: ChangeStep, where: string | null): Refuse =>
  (reason, hint = '') => {
    const problem = hint === '' ? problems[reason] : `${problems[reason]}. ${hint}`
    throw new RouterError('HV_CHANGE', { about, where, became, reason, problem })
  }
