/**
 * One document per version for `@nestjs/swagger`.
 *
 * @module
 */
import { type Api, type Row, mediaType, routeTable } from '@hv/router'
import type { VersionOf } from '@hv/router/adapter'
import { openapi } from '@hv/router-openapi'
import { type INestApplication, RequestMethod, type Type } from '@nestjs/common'
import { type OpenAPIObject, type SwaggerDocumentOptions, SwaggerModule } from '@nestjs/swagger'
import { readDerived } from './before.ts'
import { type VersionedApi, actionsOf } from './handlers.ts'
import { forgetInheritedParameters } from './inheritance.ts'
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from './internals.ts'
import type { NestControllers } from './types.ts'

/**
 * Creates a version's document. The decorators of `@nestjs/swagger` and its compiler plugin
 * describe the actions. The route file adds paths, media types, headers, refusals and what's
 * deprecated.
 *
 * @param config - what `DocumentBuilder` builds
 * @param options - as for `SwaggerModule.createDocument`. `include` has no effect, because the
 *   version decides what's in the document
 * @example
 * const document = createVersionDocument(app, routes, controllers, 2, config)
 * SwaggerModule.setup('docs/v2', app, document)
 */
export function createVersionDocument<Table>(
  app: INestApplication,
  routes: Api<Table>,
  controllers: NoInfer<NestControllers<Table>>,
  version: NoInfer<VersionOf<Table>>,
  config: Omit<OpenAPIObject, 'paths'>,
  options: SwaggerDocumentOptions = {},
): OpenAPIObject {
  const classes = controllers as VersionedApi['classes']
  const rows = routeTable(routes as Api).filter((row) => row.version === version)
  const described = Object.entries(classes[version]!).map(([key, controller]) => {
    readDerived(controller!)
    const metatype = describe(
      controller!,
      rows.filter((row) => row.key === key),
    )
    return [
      key,
      { metatype, instance: Object.create(metatype.prototype as object) as object },
    ] as const
  })
  const module = {
    controllers: new Map(described),
    metatype: class Versioned {},
    imports: new Set(),
  }
  // The part of an app that the scanner reads. Nest's global prefix and versions don't apply to the
  // API.
  const scanned = {
    container: { getModules: () => new Map([['versioned', module]]) },
    config: {
      getGlobalPrefix: () => '',
      getVersioning: () => undefined,
      getGlobalPrefixOptions: () => ({}),
    },
    getHttpAdapter: () => app.getHttpAdapter(),
  }
  const document = SwaggerModule.createDocument(scanned as never, config, {
    ...options,
    include: [],
  })
  const actions = actionsOf(new Map(routeTable(routes as Api).map((row) => [row, async () => {}])))
  const generated = openapi(routes as Api, actions, {
    version: version as never,
    info: { title: '', version: '' },
  })
  return complete(
    document,
    generated as unknown as OpenAPIObject,
    mediaType(routes as Api, { version }),
  )
}

/**
 * Creates a class for the scanner that has a method per row, because a method has one path, and an
 * action may have several. The class inherits what decorators say about it, but no methods, because
 * those could have routes as well.
 */
function describe(metatype: Type, rows: readonly Row[]): Type {
  const described = { [metatype.name]: class {} }[metatype.name]!
  Object.setPrototypeOf(described, metatype)
  Reflect.defineMetadata(PATH_METADATA, '/', described)
  const names = new Set<string>()
  for (const { action, method, pattern } of rows) {
    let name = action
    for (let i = 2; names.has(name); i++) name = `${action}_${i}`
    names.add(name)
    const operation = { [name]() {} }[name]!
    const target = metatype.prototype[action] as object
    for (const key of Reflect.getMetadataKeys(target))
      Reflect.defineMetadata(key, Reflect.getMetadata(key, target), operation)
    Reflect.defineMetadata(PATH_METADATA, pattern, operation)
    Reflect.defineMetadata(
      METHOD_METADATA,
      RequestMethod[method as keyof typeof RequestMethod],
      operation,
    )
    Object.defineProperty(described.prototype, name, {
      value: operation,
      configurable: true,
      writable: true,
    })
    for (const key of ['design:paramtypes', 'design:returntype', 'design:type'])
      Reflect.defineMetadata(
        key,
        Reflect.getMetadata(key, metatype.prototype as object, action),
        described.prototype,
        name,
      )
    forgetInheritedParameters(metatype, action)
    Reflect.defineMetadata(
      ROUTE_ARGS_METADATA,
      Reflect.getMetadata(ROUTE_ARGS_METADATA, metatype, action),
      described,
      name,
    )
  }
  return described
}

interface Operation {
  deprecated?: boolean
  responses: Record<
    string,
    { content?: Record<string, unknown>; headers?: Record<string, unknown> }
  >
}

/** Adds what the route file knows, unless decorators declare it. */
function complete(document: OpenAPIObject, generated: OpenAPIObject, type: string): OpenAPIObject {
  for (const [path, methods] of Object.entries(document.paths) as [
    string,
    Record<string, Operation>,
  ][])
    for (const [method, operation] of Object.entries(methods)) {
      const addition = (generated.paths[path] as Record<string, Operation> | undefined)?.[method]
      if (addition === undefined) continue
      const { '2XX': success, ...refusals } = addition.responses
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!status.startsWith('2')) continue
        // This includes a 204, because Swagger UI sends the type as Accept, and without one it
        // sends a type that allows every version.
        const { 'application/json': json, ...rest } = response.content ?? {
          'application/json': {},
        }
        response.content = { ...(json !== undefined && { [type]: json }), ...rest }
        response.headers = { ...success?.headers, ...response.headers }
      }
      operation.responses = { ...refusals, ...operation.responses }
      if (addition.deprecated) operation.deprecated = true
    }
  const components = { ...document.components }
  for (const kind of ['schemas', 'headers', 'responses'] as const)
    components[kind] = { ...generated.components?.[kind], ...components[kind] } as never
  return { ...document, openapi: generated.openapi, components }
}
