// A value's type, and the values of an enum.
import { type Json, isEqual, listOf } from '../json.ts'
import { type Gap, gap, shown, unclear } from './gap.ts'

export const valueTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

export function typesOf({ type, enum: values }: Json): readonly string[] {
  if (type !== undefined) return [type].flat().map(String)
  return Array.isArray(values) ? [...new Set(values.map(typeOf))] : valueTypes
}

/** Whether a value of the schema may have one of these types. */
export const mayBe = (schema: Json, ...types: readonly string[]): boolean =>
  typesOf(schema).some((type) => types.includes(type))

/** The types of a schema that another one doesn't have. */
export function newTypesOf(sent: Json, readTypes: readonly string[]): readonly string[] {
  const isRead = (type: string): boolean =>
    readTypes.includes(type) || (type === 'integer' && readTypes.includes('number'))
  return typesOf(sent).filter((type) => !isRead(type))
}

/** Whether no value fits a schema. */
export const isNever = ({ not, type, enum: values }: Json): boolean =>
  isEqual(not, {}) || isEqual(type, []) || isEqual(values, [])

export function isOfType(value: unknown, { type }: Json): boolean {
  if (type === undefined) return true
  const names = typeof value === 'number' ? [typeOf(value), 'number'] : [typeOf(value)]
  return [type].flat().some((name) => names.includes(String(name)))
}

const objectKeywords = ['properties', 'additionalProperties', 'required', 'patternProperties']

export function typeGaps(sent: Json, read: Json): readonly Gap[] {
  const readTypes = typesOf(read)
  const newTypes = newTypesOf(sent, readTypes)
  const isAny = sent['type'] === undefined && sent['enum'] === undefined
  if (newTypes.length > 0 && isAny) {
    const why = `may be other than ${readTypes.join(' or ')}`
    // Documents often leave out that something with properties is an object.
    const isObjectMeant = objectKeywords.some((key) => sent[key] !== undefined)
    return [isObjectMeant && readTypes.includes('object') ? unclear(why) : gap(why)]
  }
  if (newTypes.length > 0)
    return [gap(`may be ${newTypes.join(' or ')}, which isn't ${readTypes.join(' or ')}`)]
  if (read['enum'] === undefined) return []
  const readValues = setOf(listOf(read['enum']))
  const newValues = finiteValuesOf(sent)?.filter((value) => !readValues.has(JSON.stringify(value)))
  if (newValues === undefined) {
    const why = `may be other than ${shown(listOf(read['enum']))}`
    // A range of integers may be all of the enum's values.
    return ['minimum', 'maximum'].every((bound) => bound in sent) ? [unclear(why)] : [gap(why)]
  }
  return newValues.length === 0 ? [] : [gap(`may be ${shown(newValues)}`)]
}

/** JSON values that can be looked up, by their text. */
export const setOf = memoizedList((values) => new Set(values.map((value) => JSON.stringify(value))))

function memoizedList<Result>(read: (values: readonly unknown[]) => Result) {
  const results = new WeakMap<readonly unknown[], Result>()
  return (values: readonly unknown[]): Result => {
    let result = results.get(values)
    if (result === undefined) results.set(values, (result = read(values)))
    return result
  }
}

/** All values of an enum, of booleans and of null. */
function finiteValuesOf(schema: Json): readonly unknown[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum']
  const values = typesOf(schema).map((type) => finite[type])
  return values.includes(undefined) ? undefined : values.flat()
}

const finite: Readonly<Record<string, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
}
