// How lists and objects are compared: element by element, and property by property.
import { type Json, isObject, listOf, pointerTo } from '../json.ts'
import { propertiesOf, propertyOf, tagOf } from './reader.ts'
import { noRule, type Rule, type Sides } from './pair.ts'
import { type Gap, gap, unclear } from './gap.ts'
import { isNever, mayBe } from './types.ts'

export function listRule(sent: Json, read: Json, { pairOf }: Sides): Rule {
  const mayHaveElements = mayBe(sent, 'array') && mayBe(read, 'array') && sent['maxItems'] !== 0
  if (!mayHaveElements) return noRule
  const isUnique = read['uniqueItems'] !== true || sent['uniqueItems'] === true
  return {
    gaps: isUnique ? [] : [gap('may have equal elements')],
    parts: [{ at: '/*', pair: pairOf(sent['items'], read['items']) }],
  }
}

export function objectRule(sent: Json, read: Json, sides: Sides): Rule {
  if (!mayBe(sent, 'object') || !mayBe(read, 'object')) return noRule
  const required = listOf(read['required']) as readonly string[]
  const declared = [propertiesOf(sent), propertiesOf(read)].flatMap(Object.keys)
  const names = [...new Set([...required, ...declared])]
  const properties = names.map((name) => propertyRule(name, sent, read, sides))
  const gaps = properties.flatMap((property) => property.gaps)
  const parts = properties.flatMap((property) => property.parts)
  const [sentOthers, readOthers] = [sent['additionalProperties'], read['additionalProperties']]
  if (sides.direction === 'request' && readOthers === false && sentOthers !== false)
    gaps.push(gap('may have other properties, which are refused'))
  if (isObject(readOthers) && sentOthers !== false)
    parts.push({ at: '/*', pair: sides.pairOf(sentOthers, readOthers) })
  return { gaps, parts }
}

/** Compares a property that at least one of two objects has. */
function propertyRule(name: string, sent: Json, read: Json, sides: Sides): Rule {
  const { direction, pairOf, readSent, readRead } = sides
  const isRequest = direction === 'request'
  const at = pointerTo([name])
  const [sentOthers, readOthers] = [sent['additionalProperties'], read['additionalProperties']]
  const [sentSchema, readSchema] = [propertyOf(sent, name), propertyOf(read, name)]
  const isInSent = Object.hasOwn(propertiesOf(sent), name)
  const isInRead = Object.hasOwn(propertiesOf(read), name)
  const [sentShape, readShape] = [readSent(sentSchema), readRead(readSchema)]
  // Clients don't send what's read-only, and the API doesn't send what's write-only.
  const hidden = isRequest ? 'readOnly' : 'writeOnly'
  const isUnsent = sentShape[hidden] === true
  const isUnread = readShape[hidden] === true
  const gaps: Gap[] = []

  if (isRequest && isInSent && isInRead) {
    const difference = defaultGap(sentShape, readShape)
    if (difference !== null) gaps.push({ ...difference, at })
    if (isUnread && !isUnsent) gaps.push({ ...unclear('is read-only'), at })
  }
  if (isUnread) return { gaps, parts: [] }

  const isRequired = listOf(read['required']).includes(name)
  const isPresent = !isUnsent && listOf(sent['required']).includes(name)
  if (isRequired && !isPresent && !(isRequest && 'default' in readShape)) {
    const isOptional = isInSent && !isUnsent
    const reason = `${isOptional ? 'may be' : 'is'} missing, and ${isRequest ? 'is' : 'was'} required`
    gaps.push(gap(reason, { at, kind: isOptional && !isRequest ? undefined : 'missing' }))
  }
  if (!isRequired && isUnsent && !isRequest && isInRead) gaps.push(gap('is write-only', { at }))
  if (!isRequired && !isUnsent) {
    // A field that clients sent is ignored now, or a field that they read isn't there any more.
    const isLost = isRefused(sentSchema) && !isRefused(readSchema)
    const isGone = isRequest
      ? isInSent && !isInRead && !isObject(readOthers)
      : isInRead && (!isInSent || isLost) && !isObject(sentOthers)
    // An open object ignores fields that it doesn't know. A closed one refuses them.
    const isIgnored = isRequest && readOthers !== false
    const why = isIgnored
      ? 'is ignored from now on'
      : isRequest
        ? 'is refused from now on'
        : 'is gone'
    if (isGone) gaps.push(gap(why, { at, kind: 'gone', isMinor: isIgnored }))
  }

  if (!isInRead) {
    const isOther = isInSent && isObject(readOthers)
    return { gaps, parts: isOther ? [{ at, pair: pairOf(sentSchema, readOthers) }] : [] }
  }
  const mayBeSent = !isUnsent && (isInSent || isPresent || isObject(sentOthers))
  const pair = mayBeSent ? [{ at, pair: pairOf(sentSchema ?? sentOthers, readSchema) }] : []
  return { gaps, parts: pair }
}

/**
 * A different default changes something for clients that send the same as before. Constants and
 * tags have only one value, so nobody leaves them out for a default.
 */
export function defaultGap(sent: Json, read: Json): Gap | null {
  const [had, has] = [sent, read].map((schema) => JSON.stringify(schema['default']))
  if (had === has || tagOf(sent) !== undefined || tagOf(read) !== undefined) return null
  return gap(
    `had ${had === undefined ? 'no default' : `the default ${had}`}, and has ${has ?? 'none'}`,
    { kind: 'default' },
  )
}

const isRefused = (schema: unknown): boolean =>
  schema === false || (isObject(schema) && isObject(schema['not']) && isNever(schema))
