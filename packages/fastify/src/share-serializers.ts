import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'

type Compiler = FastifySchemaCompiler<unknown>

/** Whether a serializer compiler is Fastify's own, which reads nothing of a route but the schema. */
export const isFastifysOwn = ({ name }: Compiler): boolean => name === 'bound responseSchemaCompiler'

/**
 * Creates a serializer compiler that calls the one of the app. While the app starts, it calls Fastify's own once per schema:
 * the versions of a route share most of their schemas, and compiling them takes most of the start.
 */
export function shareSerializers(app: FastifyInstance): Compiler {
  const compiled = new Map<unknown, ReturnType<Compiler>>()
  let isStarting = true
  app.addHook('onReady', (done) => {
    isStarting = false
    compiled.clear()
    done()
  })

  return (route) => {
    const compile = app.serializerCompiler as Compiler
    if (!isStarting || !isFastifysOwn(compile)) return compile(route)
    const serialize = compiled.get(route.schema) ?? compile(route)
    compiled.set(route.schema, serialize)
    return serialize
  }
}
