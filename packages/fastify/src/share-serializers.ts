import type { FastifyInstance } from 'fastify'
import { compilerOf } from './compilers.ts'
import type { Compiler } from './translate.ts'

/**
 * Creates a serializer compiler that calls the one of the app. While the app starts, it calls Fastify's own once per schema:
 * the versions of a route share most of their schemas, and compiling them takes most of the start.
 */
export function shareSerializers(app: FastifyInstance): Compiler {
  const compile = compilerOf(app, 'serializerCompiler')
  const compiled = new Map<unknown, ReturnType<Compiler>>()
  let isStarting = true
  app.addHook('onReady', (done) => {
    isStarting = false
    compiled.clear()
    done()
  })

  return (route) => {
    // An app's own compiler may read more of a route than the schema. Fastify marks its own by nothing but the name.
    if (!isStarting || app.serializerCompiler?.name !== 'bound responseSchemaCompiler') return compile(route)
    const serialize = compiled.get(route.schema) ?? compile(route)
    compiled.set(route.schema, serialize)
    return serialize
  }
}
