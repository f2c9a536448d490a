// @nestjs/swagger writes schemas as OpenAPI 3.0 has them. In OpenAPI 3.1 they're JSON Schema
// 2020-12, which has no `nullable`, no boolean limits and no files.
import { isObject, mapSchema } from '@hv/router/internal'

type Values = Record<string, unknown>

/** Copies a document, or a part of one, with its schemas as OpenAPI 3.1 has them. */
export function toOpenApi31(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toOpenApi31)
  if (!isObject(part)) return part
  const copy: Values = { ...part }
  for (const [key, value] of Object.entries(part)) {
    if (key === 'example' || key === 'examples') continue // the app's own data
    if (key === 'schemas') copy[key] = mapSchema({ $defs: value }, toSchema31)['$defs']
    else copy[key] = key === 'schema' && isObject(value) ? toSchema31(value) : toOpenApi31(value)
  }
  return copy
}

function toSchema31(schema: Readonly<Values>): Values {
  const { nullable, ...converted }: Values = mapSchema(schema, toSchema31)
  for (const limit of ['minimum', 'maximum']) {
    const exclusive = limit.replace('m', 'exclusiveM')
    const { [exclusive]: isExclusive, [limit]: value } = converted
    if (typeof isExclusive !== 'boolean') continue
    delete converted[isExclusive ? limit : exclusive]
    if (isExclusive) converted[exclusive] = value
  }
  if (converted['type'] === 'file') Object.assign(converted, { type: 'string', format: 'binary' })
  return nullable === true ? orNull(converted) : converted
}

/** Null doesn't satisfy these, whatever `type` says. */
const restrictions = '$ref allOf anyOf oneOf discriminator not const'.split(' ')

function orNull(schema: Values): Values {
  if (restrictions.some((keyword) => keyword in schema))
    return { anyOf: [schema, { type: 'null' }] }
  const { type, enum: values } = schema
  return {
    ...schema,
    ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
    ...(values !== undefined && { enum: [...new Set([values, null].flat())] }),
  }
}
