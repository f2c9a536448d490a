import { stepsOf } from '../changes/json-pointer.ts'
import type { Validator } from './validation.ts'
import type { Issue } from './validation-error.ts'

/** What {@link ajvValidator} uses of Ajv. */
interface AjvLike {
  compile(schema: object): ((value: unknown) => unknown) & { readonly errors?: AjvErrors }
}
type AjvErrors =
  | readonly { readonly instancePath: string; readonly message?: string | undefined }[]
  | null
  | undefined

/**
 * Validates JSON Schemas with the app's Ajv, including its options, formats and keywords.
 *
 * @example createRouter(routes, controllers, { validator: ajvValidator(new Ajv()) })
 */
export const ajvValidator =
  (ajv: AjvLike): Validator =>
  (schema) => {
    const validate = ajv.compile(schema)
    return async (value) => {
      const result = validate(value)
      if (result === false) return { issues: issuesOf(validate.errors) }
      try {
        await result // a schema with `$async` returns a promise that rejects with the errors
        return { value }
      } catch (error) {
        const { errors } = (error ?? {}) as { readonly errors?: AjvErrors }
        if (!Array.isArray(errors)) throw error
        return { issues: issuesOf(errors) }
      }
    }
  }

/** Turns Ajv's errors into issues, which keep the errors' own properties. */
export const issuesOf = (errors: AjvErrors): readonly Issue[] =>
  (errors ?? []).map(({ message = 'is invalid', ...error }) => ({
    ...error,
    message,
    path: stepsOf(error.instancePath),
  }))
