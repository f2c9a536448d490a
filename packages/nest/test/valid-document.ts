// Whether tools can read a document: its own schema, and JSON Schema 2020-12 for every schema in it.
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

const validator = new Validator()
const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** Returns the document as JSON. */
export async function validDocument(document: object): Promise<any> {
  const json = JSON.parse(JSON.stringify(document))
  const result = await validator.validate(structuredClone(json))
  expect(result.valid, JSON.stringify(result.errors)).toBe(true)
  const schemas = schemasOf(json)
  expect(schemas.length).toBeGreaterThan(0)
  for (const schema of schemas) expect(() => compile(json, schema)).not.toThrow()
  expect(problemsOf(json)).toEqual([])
  return json
}

/** Compiles a schema of a document, whose components it may refer to. */
export const compile = ({ components }: any, schema: object) =>
  ajv.compile({ components, allOf: [schema] })

function schemasOf(part: any): object[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries<any>(part).flatMap(([key, value]) => {
    if (key === 'schema') return [value]
    return [...(key === 'schemas' ? Object.values<any>(value) : []), ...schemasOf(value)]
  })
}

/** What the specification says, and its JSON Schema can't. */
function problemsOf({ paths }: any): string[] {
  const problems: string[] = []
  const ids = new Set<string>()
  const shapes = new Set<string>()
  for (const [path, methods] of Object.entries<any>(paths)) {
    const shape = path.replaceAll(/\{\w+\}/g, '{}')
    if (shapes.has(shape)) problems.push(`${path} is there twice`)
    shapes.add(shape)
    for (const [
      method,
      { operationId, parameters = [], tags = [], security = [] },
    ] of Object.entries<any>(methods)) {
      const where = `${method} ${path}`
      if (ids.has(operationId)) problems.push(`${operationId} is there twice`)
      ids.add(operationId)
      const inPath = parameters.filter((parameter: any) => parameter.in === 'path')
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      if (inPath.map(({ name }: any) => name).join() !== names.join())
        problems.push(`${where} declares other parameters`)
      const keys = parameters.map((parameter: any) =>
        `${parameter.in} ${parameter.name}`.toLowerCase(),
      )
      for (const list of [keys, tags, security.map((item: object) => JSON.stringify(item))])
        if (new Set(list).size < list.length) problems.push(`${where} repeats ${list}`)
    }
  }
  return problems
}
