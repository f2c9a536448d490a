// The bodies of requests and responses.
import type { Schema, SchemaDirection } from '@hv/router'
import { isObject, mapValues } from '@hv/router/internal'
import type { Components } from './components.ts'
import { describedSchema } from './described-schema.ts'
import { requiredOf } from './properties.ts'

/**
 * A schema by media type. Fastify's `{ content: { 'image/png': { schema } } }` already has media
 * types.
 */
export function contentOf(
  schema: Schema,
  direction: SchemaDirection,
  types: readonly string[],
  name: string,
  components: Components,
): object {
  const declared = (schema as { content?: unknown }).content
  const content = isObject(declared)
    ? (declared as Readonly<Record<string, { readonly schema: Schema }>>)
    : Object.fromEntries(types.map((type) => [type, { schema }]))
  return mapValues(content, (media) => {
    const json = describedSchema(media.schema, direction, name)
    const isInput = direction === 'input' && 'required' in json
    const withRequired = isInput ? { ...json, required: requiredOf(json) } : json
    return { ...media, schema: components.add(withRequired, name) }
  })
}

/**
 * Whether a request may leave out its body. zod's schemas say so themselves, and other libraries'
 * are asked. One that doesn't decide at once requires its body.
 */
export function isOptional(body: Schema): boolean {
  const { _zod: zod, '~standard': standard } = body as {
    readonly _zod?: { readonly optin?: string }
    readonly '~standard'?: { readonly validate: (value: unknown) => object }
  }
  if (zod || !standard) return zod?.optin !== undefined
  try {
    const result = standard.validate(undefined)
    if (result instanceof Promise) result.catch(() => {})
    return 'value' in result && !('issues' in result && result.issues)
  } catch {
    return false
  }
}
