import { type JsonSchema, isObject } from '@hv/router/internal'
import { isEqual } from './normalize.ts'
import { type Reader, propertiesOf, tagOf, unionOf } from './reader.ts'
import { type Gap, gap, listOf } from './value-gaps.ts'

/**
 * Whether the alternatives of two unions are told apart by the same values. A discriminator is a hint: without one, the
 * schemas still say it. A name of a component is a value, unless a mapping or the alternative names another one.
 */
export function discriminatorGaps(
  sent: JsonSchema,
  read: JsonSchema,
  readSent: Reader,
  readRead: Reader,
): readonly Gap[] {
  const [own, other] = [sent['discriminator'], read['discriminator']]
  if (!isObject(own) || !isObject(other)) return []
  const [name, known] = [own['propertyName'], other['propertyName']]
  if (!isEqual(name, known)) return [gap('', `has the discriminator ${String(name)}, not ${String(known)}`, false)]
  return listOf(unionOf(sent)).flatMap((one) => {
    const counterparts = listOf(unionOf(read)).filter((each) => readRead(each) === readSent(one))
    const values = counterparts.flatMap((each) => valuesOf(other, each, readRead))
    const others = valuesOf(own, one, readSent).filter((value) => !values.includes(value))
    return counterparts.length === 0 || others.length === 0
      ? []
      : [gap('', `has the ${String(name)} ${others.join(' or ')} for what had ${values.join(' or ')}`, false)]
  })
}

function valuesOf({ propertyName, mapping }: JsonSchema, alternative: unknown, reader: Reader): readonly string[] {
  const ref = isObject(alternative) ? alternative['$ref'] : undefined
  if (typeof ref !== 'string') return []
  const id = ref.slice(ref.lastIndexOf('/') + 1)
  const mapped = Object.entries(isObject(mapping) ? mapping : {}).filter(
    ([, target]) => target === ref || target === id,
  )
  if (mapped.length > 0) return mapped.map(([value]) => value)
  return tagOf(propertiesOf(reader(alternative))[String(propertyName)]) === undefined ? [id] : []
}
