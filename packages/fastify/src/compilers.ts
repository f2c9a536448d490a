import { translationOf } from '@hv/router/adapter'
import { isLibrary, isObject } from '@hv/router/internal'
import type { FastifyInstance } from 'fastify'
import type { HasContent } from './plain-json.ts'
import { type Compiler, convertingCompiler } from './convert-requests.ts'

type Options = Readonly<Record<string, unknown>>

/**
 * Returns a route's validator compiler if its requests are converted or its schemas come from a
 * library. Undefined if Fastify chooses the right one itself.
 */
export function validatorCompilerOf(app: FastifyInstance, options: Options): Compiler | undefined {
  const { request } = translationOf(options)
  const compiler = options['validatorCompiler'] as Compiler | undefined
  const compile = compiler ?? compilerOf(app, 'validatorCompiler')
  if (Object.keys(request).length > 0)
    return convertingCompiler(compile, request, compiler !== undefined)
  return compiler ?? (Object.values(options['schema'] ?? {}).some(isLibrary) ? compile : undefined)
}

/**
 * Returns the app's compiler. It's looked up later, because the app may set it after it registers
 * the router.
 */
const compilerOf =
  (app: FastifyInstance, name: 'validatorCompiler' | 'serializerCompiler'): Compiler =>
  (route) => {
    const compile = app[name] as Compiler | undefined
    try {
      return compile!(route)
    } catch (cause) {
      if (compile !== undefined && !isLibrary(route.schema)) throw cause
      const set = `app.set${name[0]!.toUpperCase()}${name.slice(1)}`
      throw new Error(
        `the app has no compiler for the schema. Call ${set}() with the schema library's compiler`,
        { cause },
      )
    }
  }

/**
 * Returns a schema that makes Fastify create its default compiler, which converted requests need.
 * Fastify only creates it for the first route that has a schema but no compiler. It's one of the
 * API's schemas, because an app's compiler may reject any other.
 */
export function schemaForCompiler(options: Options): object | undefined {
  if (options['validatorCompiler'] !== undefined) return undefined
  const steps = Object.values(translationOf(options).request).flat()
  const schemas = steps.flatMap(({ schema }): unknown[] => {
    const { content } = (schema ?? {}) as NonNullable<HasContent>
    return content === undefined ? [schema] : Object.values(content).map((media) => media.schema)
  })
  return schemas.find((schema): schema is object => isObject(schema) && !isLibrary(schema))
}

/**
 * Creates a serializer compiler that calls the app's. It calls Fastify's default one only once per
 * schema, because a route's versions share most of their schemas, and compiling takes most of the
 * start-up time.
 */
export function shareSerializers(app: FastifyInstance): Compiler {
  const compile = compilerOf(app, 'serializerCompiler')
  const compiled = new WeakMap<object, ReturnType<Compiler>>()
  return (route) => {
    // An app's compiler may depend on more than the schema. Only its name tells Fastify's default
    // one apart.
    if (app.serializerCompiler?.name !== 'bound responseSchemaCompiler') return compile(route)
    const schema = Object(route.schema) as object // a new object if it isn't one
    const serialize = compiled.get(schema) ?? compile(route)
    compiled.set(schema, serialize)
    return serialize
  }
}
