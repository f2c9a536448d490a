// Finds values that match several alternatives, which a `oneOf` rejects.
import { type Json, isEqual, isObject, listOf } from '../json.ts'
import { type Alternative, type Gap, type Sides, type Union, hiddenIn, unclear } from './gap.ts'
import { commonTypes, commonValues } from './join.ts'
import {
  type Reader,
  allowsAll,
  listedValues,
  propertiesOf,
  propertyOf,
  typesOf,
  unionOf,
  unknownKeywords,
} from './shape.ts'
import { withAlternative } from './unions.ts'

/** Checks for values that match several alternatives, which a `oneOf` rejects. */
export function overlapGaps(sent: Json, union: Union | null, sides: Sides): readonly Gap[] {
  if (union === null) return []
  const { readSent, readRead, unionIn, isWithin, meansTheSame, budget } = sides
  const isSingle = sent['anyOf'] === undefined
  if (!union.isExclusive) {
    const inner = isSingle ? [] : union.alternatives.map(({ shape }) => unionIn(readRead)(shape))
    return inner.flatMap((own) => overlapGaps(sent, own, sides)).slice(0, 1)
  }
  const kinds = unionOf(sent) ?? [sent]
  // A value of one of a sent `oneOf`'s alternatives is none of the others.
  const kept = new Set(isSingle ? kinds.filter(meansTheSame) : [])
  for (const [index, kind] of kinds.entries()) {
    const others = isSingle ? kinds.toSpliced(index, 1) : []
    const open = union.alternatives.filter(({ schema }) => schema === kind || !kept.has(schema))
    if (open.length < 2 || others.includes(kind)) continue
    budget.spend(open.length / 16)
    const shape = kind === sent ? sent : readSent(withAlternative(sent, kind, readSent))
    const isOpen =
      !isSingle ||
      unionOf(shape) !== null ||
      unknownKeywords(shape).length > 0 ||
      isObject(shape['additionalProperties'])
    // Nobody promised to send properties that a schema doesn't name.
    const named = (schema: Json, other = schema): Json => {
      const properties: Record<string, unknown> = isOpen ? { ...propertiesOf(schema) } : {}
      const home = isOpen ? other : shape
      const names = [...Object.keys(propertiesOf(home)), ...listOf(home['required'])] as string[]
      for (const name of names)
        properties[name] = propertyOf(schema, name) ?? schema['additionalProperties'] ?? {}
      return { ...schema, properties, ...(!isOpen && { additionalProperties: false }) }
    }
    const isExcluded = (inner: Json) =>
      others.some((other) => {
        const outer = readSent(other)
        const isNamed = !isOpen || unionOf(outer) === null
        return isNamed && isWithin(named(inner, outer), other)
      })
    const own = [named(shape), readSent] as const
    const possible: (typeof own)[] = []
    for (const alternative of open) {
      const inner = [alternative.shape, readRead] as const
      if (!haveCommon([own, inner], sides)) continue
      budget.spend(possible.length / 2)
      for (const other of possible)
        if (
          haveCommon([own, other, inner], sides) &&
          !isExcluded(inner[0]) &&
          !isExcluded(other[0])
        )
          return [{ ...unclear("isn't valid if it matches several alternatives"), isAside: true }]
      possible.push(inner)
    }
  }
  return []
}

/** Read often, and each object is only read once. */
const [nothing, anything] = [{ type: [] }, {}]

/** Whether a value may match all of the schemas, as far as types, values and names tell. */
function haveCommon(
  shapes: readonly (readonly [Json, Reader])[],
  sides: Sides,
  depth = 2,
): boolean {
  const types = commonTypes(shapes.map(([shape]) => typesOf(shape)))
  let values: readonly unknown[] | null = null
  const required = new Set<unknown>()
  for (const [shape] of shapes) {
    const listed = listedValues(shape) ?? []
    if (listed.length > 0) values = commonValues(values ?? listed, listed)
    for (const name of listOf(shape['required'])) required.add(name)
  }
  if (types.length === 0 || values?.length === 0) return false
  if (shapes.some(([{ not }]) => forbids(not, required))) return false
  if (depth === 0) return true
  for (const [index, [shape, read]] of shapes.entries()) {
    const isApart = ({ shape: kind }: Alternative) =>
      !haveCommon(shapes.with(index, [kind, read]), sides, depth - 1)
    if (sides.unionIn(read)(shape)?.alternatives.every(isApart)) return false
  }
  if (types.join() !== 'object') return true
  for (const name of required as Set<string>) {
    const inner = shapes.map(([shape, read]) => {
      const others = shape['additionalProperties'] === false ? nothing : anything
      return [read(propertyOf(shape, name) ?? others), read] as const
    })
    // Nobody looks at what's hidden.
    const isHidden = inner.some(([shape]) => shape[hiddenIn(sides)] === true)
    if (!isHidden && !haveCommon(inner, sides, depth - 1)) return false
  }
  return true
}

/** Whether a `not` is true of all objects that have these properties. */
function forbids(not: unknown, names: ReadonlySet<unknown>): boolean {
  if (!isObject(not)) return false
  const { required, properties, type: _, anyOf, ...rest } = not
  if (anyOf !== undefined) return listOf(anyOf).some((inner) => forbids(inner, names))
  const areAny = Object.values(properties ?? {}).every((inner) => isEqual(inner, {}))
  return (
    required !== undefined &&
    listOf(required).every((name) => names.has(name)) &&
    areAny &&
    allowsAll(rest)
  )
}
