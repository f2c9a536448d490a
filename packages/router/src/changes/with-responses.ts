import { invalidOption, assertObject } from '../errors.ts'
import type { Schema } from '../types/schema.ts'
import { type SchemaAction, mapActions } from './actions.ts'

/** Controllers whose methods have become actions with a schema. Their handlers and parameters have the same types. */
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
 * Declares responses that all actions of a version have, such as its errors. It is as if each action declared them in its
 * `schema.response`: changes convert them, OpenAPI documents list them, and Fastify serializes with them. What an action
 * declares itself wins.
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
  for (const [status, schema] of Object.entries(responses))
    if (
      !/^([1-5](\d\d|xx)|default)$/i.test(status) ||
      (typeof schema !== 'object' && typeof schema !== 'boolean')
    )
      throw invalidOption(
        where,
        `responses.${status}`,
        "a schema by status, such as 404, '4xx' or 'default'",
        schema,
      )
  return mapActions(controllers, (action) => {
    const { handler, ...own } = typeof action === 'function' ? { handler: action } : action
    if ('schema' in own && own.schema === undefined) return { ...own, handler } // of a circular import: the adapter reports it
    const { schema } = own as SchemaAction
    return {
      ...own,
      handler,
      schema: { ...schema, response: { ...responses, ...schema?.response } },
    }
  }) as WithResponses<Controllers>
}
