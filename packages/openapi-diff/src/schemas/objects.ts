// How lists and objects are compared: element by element, and property by property.
import { type Json, isObject, listOf, pointerTo } from '../json.ts'
import { type Form, type Gap, type Item, type Sides, gap, hiddenIn, part, unclear } from './gap.ts'
import { refusedNames } from './join.ts'
import { allowsAll, isConstant, isNever, mayBe, propertiesOf, propertyOf } from './shape.ts'
import { isText } from './text.ts'

export function* listItems(sent: Json, read: Json, sides: Sides): Generator<Item> {
  if (!mayBe(sent, 'array') || !mayBe(read, 'array') || sent['maxItems'] === 0) return
  if (read['uniqueItems'] === true && sent['uniqueItems'] !== true)
    yield gap(sides.isRequest ? 'must not have equal elements now' : 'may have equal elements')
  yield part(sides.pairOf(sent['items'], read['items']), '/*')
}

export function* objectItems(sent: Json, read: Json, sides: Sides): Generator<Item> {
  if (!mayBe(sent, 'object') || !mayBe(read, 'object')) return
  const { isRequest, form, pairOf, readSent, readRead } = sides
  const hidden = hiddenIn(sides)
  const [sentRequired, readRequired] = [sent, read].map(({ required }) => new Set(listOf(required)))
  const [sentOthers, readOthers] = [othersOf(sent), othersOf(read)]
  const names = new Set(readRequired as Set<string>)
  for (const name of Object.keys({ ...propertiesOf(sent), ...propertiesOf(read) })) names.add(name)
  for (const name of names) yield* propertyItems(name)
  if (isRequest && readOthers === false && sentOthers !== false)
    yield gap('must not have other properties now')
  if (isObject(readOthers) && sentOthers !== false)
    if (isRequest || sentOthers !== undefined) yield part(pairOf(sentOthers, readOthers), '/*')
    else if (!allowsAll(readRead(readOthers))) yield gap('may be anything now', { at: '/*' })

  /** Compares a property that at least one of two objects has. */
  function* propertyItems(name: string): Generator<Item> {
    const at = pointerTo([name])
    const sentSchema = propertyOf(sent, name)
    const readSchema = propertyOf(read, name)
    // Many documents close an `allOf` by mistake, so a property is only refused beside one that isn't.
    const [isSentOpen, isReadOpen] = [sent, read].map(
      (schema) =>
        propertyOf(schema, name) !== undefined && !listOf(schema[refusedNames]).includes(name),
    )
    const sentShape = readSent(sentSchema)
    const readShape = readRead(readSchema)
    const isInSent =
      (isSentOpen || (sentSchema !== undefined && !isReadOpen)) && !isNever(sentShape)
    const isInRead = isReadOpen || (readSchema !== undefined && !isSentOpen)
    const isUnsent = sentShape[hidden] === true
    const isUnread = readShape[hidden] === true
    if (isRequest && isInSent && isInRead && !isUnsent) {
      const difference = defaultGap(sentShape, readShape, form)
      if (isUnread) yield { ...unclear('is read-only now'), at }
      // A required property is always sent, so nobody gets its default.
      else if (difference !== null && !sentRequired!.has(name)) yield { ...difference, at }
    }
    if (isUnread) return

    const isRequired = readRequired!.has(name)
    // A closed object can't have what it requires and doesn't declare.
    const isSendable = isRequest || isInSent || !isInRead || sentOthers !== false
    const isPresent = !isUnsent && isSendable && sentRequired!.has(name)
    if (isRequired && !isPresent) {
      const isOptional = isInSent && !isUnsent
      if (isRequest) yield { ...requirement(isOptional, readShape), at, kind: 'missing' }
      else if (isOptional) yield gap('may be missing, and was required', { at })
      else {
        // What a closed object requires and doesn't declare, no API could ever send.
        const isUnclear = !isInRead && readOthers === false
        yield gap('is missing, and was required', { at, kind: 'missing', isUnclear })
      }
    }
    if (!isRequired && isUnsent && !isRequest && isInRead) yield gap('is write-only', { at })
    // Either a field that clients send is ignored now, or a field that they read is gone.
    const isGone = isRequest
      ? isInSent && !isInRead && !isObject(readOthers)
      : isInRead && !isInSent && !isNever(readShape) && !isObject(sentOthers)
    // Whether another keyword evaluates it isn't known.
    const isUnclear = isRequest && read['unevaluatedProperties'] === false
    const isRefused = isUnclear || (isRequest && readOthers === false)
    if (isGone && (!isRequired || isRefused) && !isUnsent) {
      // An open object ignores unknown fields. A closed one rejects them.
      const isMinor = isRequest && !isRefused
      const change = isMinor ? 'ignored from now on' : 'refused from now on'
      yield gap(`is ${isRequest ? change : 'gone'}`, { at, kind: 'gone', isMinor, isUnclear })
    }

    if (!isInRead && isInSent && isObject(readOthers))
      yield part(pairOf(sentSchema, readOthers), at)
    // Clients know it all the same, because few of them close their objects.
    const isKnown = !isRequest && !isInRead && readSchema !== undefined
    if (isKnown && isInSent && sentShape !== readShape)
      yield { ...unclear('differs, and a part of the older allOf refused it'), at, isMinor: true }
    if (isInRead && !isUnsent && (isInSent || isPresent || isObject(sentOthers)))
      yield part(pairOf(sentSchema ?? sentOthers, readSchema), at)
  }
}

/** What applies to the properties that an object doesn't name. */
const othersOf = ({ additionalProperties, unevaluatedProperties }: Json) =>
  additionalProperties ?? (isObject(unevaluatedProperties) ? unevaluatedProperties : undefined)

/**
 * A part of a request that's required. If it has a default, only some servers do without it: JSON
 * Schema's validators don't fill in defaults.
 */
export function requirement(wasOptional: boolean, shape: Json): Gap {
  const isMinor = 'default' in shape
  const advice = isMinor ? ', and only some validators fill in the default' : ''
  return gap(`is ${wasOptional ? 'required now' : 'new and required'}${advice}`, { isMinor })
}

/**
 * A different default changes the result for clients that send the same as before. Constants and
 * tags have only one value, so nobody leaves them out for a default.
 */
export function defaultGap(sent: Json, read: Json, form: Form): Gap | null {
  const older = JSON.stringify(sent['default'])
  const newer = JSON.stringify(read['default'])
  if (older === newer || (isText(form) && String(sent['default']) === String(read['default'])))
    return null
  if (isConstant(sent) || isConstant(read)) return null
  const what = older === undefined ? 'no default' : `the default ${older}`
  return gap(`had ${what}, and has ${newer ?? 'none'}`, { kind: 'default', isMinor: true })
}
