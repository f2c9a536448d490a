import { RouterError, type RouterErrorDetails } from '../errors.ts'
import type { ActionSchema, Schema } from '../types/schema.ts'
import type { Step } from './change.ts'
import type { Path } from './convert.ts'
import type { View } from './schema-view.ts'

/** A step of a change while `before` undoes it. */
export interface ChangeStep {
  /** What the change says about itself. */
  readonly about: string
  readonly declared: Step
  /** Which step of the change it is, from 1, and how many there are. */
  readonly became: RouterErrorDetails['HV_CHANGE']['became']
  /**
   * What each schema was replaced with. Actions share schemas, so they share the replacements as
   * well, and frameworks only compile each of them once.
   */
  readonly replacements: WeakMap<View, Replacement>
  /** The actions and their schemas before it was undone. */
  readonly tried: Map<string, ActionSchema>
  /** The actions that it changed. */
  readonly touched: Set<string>
}

/** Where a schema contains the newer one, and the schema with the older one in its place. */
export interface Replacement {
  readonly paths: readonly Path[]
  readonly replaced: Schema | undefined
}

type Reason = RouterErrorDetails['HV_CHANGE']['reason']

/**
 * Says why a schema can't be replaced where it is. Whoever catches it adds the change and the
 * action.
 */
export class Irreversible extends Error {
  readonly reason: Reason
  /** What to look at, such as the place where two schemas differ. */
  readonly hint: string

  constructor(reason: Reason, hint = '') {
    super(reason)
    this.reason = reason
    this.hint = hint
  }
}

/** Why a step can't be undone, and what to do. */
const problems: Readonly<Record<Reason, string>> = {
  unused:
    'its newer schema is unused. Pass became() the same schema object, or give both an $id ' +
    '(on Nest, add its DTO class: @ApiOkResponse({ type: User }), @Body() user: User), and declare ' +
    'inner changes first',
  'no-up': 'a request contains its newer schema. Add up, or list the changed actions in only',
  'no-down': '{sent} contains its newer schema. Add down, or list the changed actions in only',
  ambiguous:
    "a value doesn't show whether its newer schema applies, as in anyOf. Pass became() the outer " +
    'schema',
  recursive:
    'its newer schema is part of one that contains itself. List the other changed actions in only, ' +
    'and write this one yourself. If the schema that contains itself is plain JSON Schema, you can ' +
    'also pass became() that one, with a down that calls itself',
  library:
    "its newer schema is, or may be, part of a schema that can't be taken apart. Pass became() the " +
    'outer schema and, in only, the actions that have it: only: ["users.show"]',
  derived:
    'a schema is made of its newer schema, as with extend() or partial(), or has copies of its ' +
    'properties. Add became() for that schema, or list the changed actions in only',
  status:
    'no response has its newer status, or one also has the older. List the changed actions in only',
  async: 'its conversion returns a promise. Write a controller',
  drifted:
    'a schema has the $id of its newer schema, but different contents. Declare what changed, or ' +
    'use a different $id',
}

/**
 * The error about a step that can't be undone.
 *
 * @param where - the action, such as `users.index`; null if it isn't about one
 * @param sent - what the action sends
 */
export function changeError(
  { about, became }: ChangeStep,
  where: string | null,
  reason: Reason,
  hint = '',
  sent = 'a response',
): RouterError {
  const reasonInWords = problems[reason].replace('{sent}', sent)
  const problem = hint === '' ? reasonInWords : `${reasonInWords}. ${hint}`
  return new RouterError('HV_CHANGE', { about, where, became, reason, problem })
}
