import type { Translation } from '@hv/router/adapter'
import { isObject } from '@hv/router/internal'
import type { FastifyInstance, FastifySchemaCompiler, RouteOptions } from 'fastify'
import { isFastifysOwn } from './share-serializers.ts'
import { convertingCompiler } from './translate.ts'

type Compilers = Pick<RouteOptions, 'validatorCompiler' | 'serializerCompiler'>
type Compiler = FastifySchemaCompiler<unknown>

/** Libraries whose schemas Fastify cannot compile by itself. */
const libraries = ['zod', 'valibot', 'arktype']

/**
 * Creates the compilers of a route with schemas of a library, and of one whose requests are converted. They call those of the
 * app, and their errors say what is missing. The app may set its compilers after the router is registered, so they are
 * looked up when the app is ready.
 */
export function compilersFor(
  app: FastifyInstance,
  own: Readonly<Record<string, unknown>>,
  translation: Translation,
): Compilers {
  const { response, ...parts } = (own['schema'] ?? {}) as Readonly<Record<string, unknown>>
  const input = Object.values(parts).map(libraryOf).find(Boolean)
  const output = Object.values(response ?? {})
    .map(libraryOf)
    .find(Boolean)
  const compiler = (own['validatorCompiler'] ??
    (input === undefined ? undefined : explained(app, 'validatorCompiler', input))) as Compiler | undefined
  const isConverted = Object.keys(translation.request).length > 0
  const compile: Compiler = compiler ?? ((route) => (app.validatorCompiler as Compiler)(route))
  const isOwn = own['validatorCompiler'] !== undefined
  return {
    ...(compiler !== undefined && { validatorCompiler: compiler as never }),
    ...(isConverted && { validatorCompiler: convertingCompiler(compile, translation, isOwn) as never }),
    ...(output !== undefined &&
      own['serializerCompiler'] === undefined && {
        serializerCompiler: explained(app, 'serializerCompiler', output) as never,
      }),
  }
}

/**
 * Fastify creates its compiler for the first route that has a JSON Schema and no compiler. Returns the schema of a request
 * that is converted, for a route that makes sure of that.
 */
export function schemaForCompiler(own: Readonly<Record<string, unknown>>, { request }: Translation): object | null {
  if (own['validatorCompiler'] !== undefined) return null
  const schemas = Object.values(request).flatMap((steps) => steps.map(({ schema }) => schema))
  return (
    (schemas.find((schema) => isObject(schema) && !('~standard' in schema) && !('content' in schema)) as object) ?? null
  )
}

function explained(app: FastifyInstance, name: 'validatorCompiler' | 'serializerCompiler', library: string): Compiler {
  return (route) => {
    const compile = app[name] as Compiler | undefined
    if (compile === undefined || isFastifysOwn(compile)) throw new Error(`${lack(library)}. ${remedy(name, library)}`)
    try {
      return compile(route)
    } catch (error) {
      // It may be Fastify's own compiler, for JSON Schema.
      throw new Error(`${(error as Error).message}. If ${lack(library)}: ${remedy(name, library)}`, { cause: error })
    }
  }
}

const lack = (library: string): string => `the app has no compiler for schemas of ${library}`

function remedy(name: string, library: string): string {
  const line = `app.set${name[0]!.toUpperCase()}${name.slice(1)}(${name})`
  return library === 'zod'
    ? `Install fastify-type-provider-zod, import { ${name} } from it, and add: ${line}`
    : `Write one, and add: ${line}`
}

function libraryOf(schema: unknown): string | undefined {
  const { vendor } = (schema as { '~standard'?: { vendor?: string } } | null | undefined)?.['~standard'] ?? {}
  return libraries.find((library) => library === vendor)
}
