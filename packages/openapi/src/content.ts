// The bodies of requests and responses.
import type { Schema, SchemaDirection } from '@hv/router'
import { isObject } from '@hv/router/internal'
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
  const described = Object.entries(content).map(([type, media]) => {
    const json = describedSchema(media.schema, direction, name)
    const isInput = direction === 'input' && 'required' in json
    const withRequired = isInput ? { ...json, required: requiredOf(json) } : json
    return [type, { ...media, schema: components.add(withRequired, name) }]
  })
  return Object.fromEntries(described)
}

/**
 * Whether a request may leave out its body, which only zod's schemas say. It isn't tried out with
 * `validate`, because that would run the app's own code.
 */
export const isOptional = (body: Schema): boolean =>
  (body as { readonly _zod?: { readonly optin?: string } })._zod?.optin !== undefined
