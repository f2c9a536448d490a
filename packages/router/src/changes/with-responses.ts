import { invalidOption, assertObject } from '../errors.ts'
import type { Schema } from '../types/schema.ts'
import { type SchemaAction, isEvent, mapActions } from './actions.ts'
import { isSchemaObject } from './json-schema.ts'

/** Controllers with an action in place of each method, whose handler keeps the method's type. */
export type WithResponses<Controllers> = {
  readonly [Key in keyof Controllers]: {
    readonly [Name in keyof Controllers[Key]]: Controllers[Key][Name] extends (
      ...args: never[]
    ) => unknown
      ? { readonly handler: Controllers[Key][Name] }
      : Controllers[Key][Name]
  }
}

/**
 * Declares responses that all of a version's actions have, such as its errors. It's as if each
 * action declared them in its `schema.response`, so changes convert them, OpenAPI documents list
 * them, and Fastify serializes with them. If an action declares the same status, its own schema is
 * used.
 *
 * @param controllers - the controllers of a version
 * @param responses - schemas by status: `'4xx'`, `404`, `'default'`
 * @throws RouterError HV_OPTION
 * @example
 * const v2 = withResponses({ users: new UsersController() }, { '4xx': Failure })
 * const v1 = before(v2, change('…', became(FailureV1, Failure, { down })))
 */
export function withResponses<Controllers extends object>(
  controllers: Controllers,
  responses: Readonly<Record<string | number, Schema>>,
): WithResponses<Controllers> {
  const where = 'withResponses()'
  assertObject(where, 'controllers', 'the controllers of a version', controllers)
  assertObject(where, 'responses', 'schemas by status', responses)
  for (const [status, schema] of Object.entries(responses)) {
    const isStatus = /^([1-5](\d\d|xx)|default)$/i.test(status)
    if (isStatus && (isSchemaObject(schema) || typeof schema === 'boolean')) continue
    const expected = "a schema by status, such as 404, '4xx' or 'default'"
    throw invalidOption(where, `responses.${status}`, expected, schema)
  }
  return mapActions(controllers, (action) => {
    if (isEvent(action)) return action
    const { handler, ...options } = typeof action === 'function' ? { handler: action } : action
    const { schema } = options as SchemaAction
    // A circular import may leave a schema undefined, which the adapter reports.
    if ('schema' in options && schema === undefined) return { ...options, handler }
    const response = { ...responses, ...schema?.response }
    return { ...options, handler, schema: { ...schema, response } }
  }) as WithResponses<Controllers>
}
