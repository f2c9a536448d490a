import type { Translation } from '@hv/router/adapter'
import { isLibrary, isObject } from '@hv/router/internal'
import type { FastifyInstance } from 'fastify'
import { type Compiler, convertingCompiler } from './translate.ts'

type Options = Readonly<Record<string, unknown>>

/**
 * Creates the validator compiler of a route: of one whose requests are converted, and of one with schemas of a library.
 * Undefined where Fastify's choice is right.
 */
export function validatorCompilerOf(
  app: FastifyInstance,
  own: Options,
  { request }: Translation,
): Compiler | undefined {
  const compiler = own['validatorCompiler'] as Compiler | undefined
  const compile = compiler ?? compilerOf(app, 'validatorCompiler')
  if (Object.keys(request).length > 0)
    return convertingCompiler(compile, request, compiler !== undefined)
  return compiler ?? (Object.values(own['schema'] ?? {}).some(isLibrary) ? compile : undefined)
}

/** The compiler of the app, which may set it after the router is registered. */
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
        `the app has no compiler for the schema. Call ${set}() with that of the schema's library`,
        {
          cause,
        },
      )
    }
  }

/**
 * A schema with which Fastify creates its validator compiler, for the first route without one, if a converted request needs it.
 * It is one of the API: the compiler of an app may refuse any other.
 */
export function schemaForCompiler(own: Options, { request }: Translation): object | undefined {
  const schemas = Object.values(request).flatMap((steps) =>
    steps.flatMap(({ schema }) => perMediaType(schema)),
  )
  return own['validatorCompiler'] === undefined
    ? schemas.find((schema): schema is object => isObject(schema) && !isLibrary(schema))
    : undefined
}

const perMediaType = (schema: unknown): unknown =>
  isObject(schema) && isObject(schema['content'])
    ? Object.values(schema['content']).map((type) => isObject(type) && type['schema'])
    : schema

/**
 * Creates a serializer compiler that calls the one of the app. It calls Fastify's own once per schema: the versions of a route
 * share most of their schemas, and compiling them takes most of the start.
 */
export function shareSerializers(app: FastifyInstance): Compiler {
  const compile = compilerOf(app, 'serializerCompiler')
  const compiled = new WeakMap<object, ReturnType<Compiler>>()
  return (route) => {
    // An app's own compiler may read more of a route than the schema. Fastify marks its own by nothing but the name.
    if (app.serializerCompiler?.name !== 'bound responseSchemaCompiler') return compile(route)
    const schema = Object(route.schema) as object // a new one for what is no object
    const serialize = compiled.get(schema) ?? compile(route)
    compiled.set(schema, serialize)
    return serialize
  }
}
