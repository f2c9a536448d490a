/**
 * One document per version for `@nestjs/swagger`.
 *
 * @module
 */
import { type Api, type Row, mediaType, routeTable } from '@hv/router'
import type { VersionOf } from '@hv/router/adapter'
import { reachable } from '@hv/router/internal'
import { openapi } from '@hv/router-openapi'
import { type INestApplication, RequestMethod, type Type } from '@nestjs/common'
import { type OpenAPIObject, type SwaggerDocumentOptions, SwaggerModule } from '@nestjs/swagger'
import { declareOlder } from './action-schema.ts'
import { olderActionOf } from './before.ts'
import { type VersionedApi, actionsOf } from './handlers.ts'
import { forgetInheritedParameters } from './inheritance.ts'
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from './internals.ts'
import { toOpenApi31 } from './openapi31.ts'
import type { NestControllers } from './types.ts'

/**
 * Creates a version's OpenAPI 3.1 document. The decorators of `@nestjs/swagger` and its compiler
 * plugin describe the actions. The route file adds paths, path parameters, media types, headers,
 * refusals and what's deprecated.
 *
 * @param config - what `DocumentBuilder` builds. Its OpenAPI version may be 3.0, which is what
 *   `DocumentBuilder` sets by default, or 3.1. The document always has OpenAPI 3.1. If it has paths,
 *   as what `SwaggerModule.createDocument` returns does, the document has them as well
 * @param options - as for `SwaggerModule.createDocument`. `include` has no effect, because the
 *   version decides what's in the document
 * @throws Error for a later version of OpenAPI
 * @example
 * const document = createVersionDocument(app, routes, controllers, 2, config)
 * SwaggerModule.setup('docs/v2', app, document)
 */
export function createVersionDocument<Table>(
  app: INestApplication,
  routes: Api<Table>,
  controllers: NoInfer<NestControllers<Table>>,
  version: NoInfer<VersionOf<Table>>,
  config: Omit<OpenAPIObject, 'paths'> & Partial<Pick<OpenAPIObject, 'paths'>>,
  options: SwaggerDocumentOptions = {},
): OpenAPIObject {
  if (!/^3\.[01]\./.test(config.openapi))
    throw new Error(
      `createVersionDocument() creates OpenAPI 3.1 documents, not ${config.openapi}. ` +
        "Remove setOpenAPIVersion(), or set '3.1.0'.",
    )
  const classes = controllers as VersionedApi['classes']
  const rows = rowsOf(routes as Api, version as number)
  const operationIds = new Set<string>()
  const described = Object.entries(classes[version]!).map(([key, controller]) => {
    const metatype = describe(
      controller!,
      rows.filter((row) => row.key === key),
      operationIds,
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
  const created = SwaggerModule.createDocument(
    scanned as never,
    { ...config, openapi: '3.1.0' },
    { ...options, include: [] },
  )
  const actions = actionsOf(new Map(routeTable(routes as Api).map((row) => [row, async () => {}])))
  const generated = openapi(routes as Api, actions, {
    version: version as never,
    info: { title: '', version: '' },
  })
  return complete(
    toOpenApi31({ ...created, paths: { ...config.paths, ...created.paths } }) as OpenAPIObject,
    generated as unknown as OpenAPIObject,
    mediaType(routes as Api, { version }),
  )
}

/**
 * Returns the rows that a version's document describes. The names of parameters don't tell OpenAPI's
 * paths apart, so a path has those of its first route, as in `openapi()`. A glob is a parameter like
 * any other.
 */
function rowsOf(routes: Api, version: number): readonly Row[] {
  const withParameters = (path: string): string => path.replace('*', ':')
  const shapeOf = ({ shape }: Row): string => withParameters(shape)
  const rows = routeTable(routes).filter((row) => row.version === version)
  const patterns = new Map(
    rows.toReversed().map((row) => [shapeOf(row), withParameters(row.pattern)]),
  )
  return reachable(rows, shapeOf).map((row) => ({ ...row, pattern: patterns.get(shapeOf(row))! }))
}

/**
 * Creates a class for the scanner that has a method per row, because a method has one path, and an
 * action may have several. The class inherits what decorators say about it, but no methods, because
 * those could have routes as well.
 */
function describe(metatype: Type, rows: readonly Row[], operationIds: Set<string>): Type {
  const described = { [metatype.name]: class {} }[metatype.name]!
  Object.setPrototypeOf(described, metatype)
  Reflect.defineMetadata(PATH_METADATA, '/', described)
  // Nest's operationId contains the names of the class and the method.
  const idOf = (name: string): string => `${metatype.name}_${name}`
  for (const { action, method, pattern } of rows) {
    let name = action
    for (let i = 2; operationIds.has(idOf(name)); i++) name = `${action}_${i}`
    operationIds.add(idOf(name))
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
    const older = olderActionOf(metatype, action)
    if (older !== undefined) declareOlder(described, name, older)
  }
  return described
}

interface Parameter {
  readonly name: string
  readonly in: string
}
interface Operation {
  deprecated?: boolean
  tags?: string[]
  security?: object[]
  parameters?: Parameter[]
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
      // A subclass may repeat what its parent declares.
      if (operation.tags) operation.tags = lastOf(operation.tags, String)
      if (operation.security) operation.security = lastOf(operation.security, JSON.stringify)
      operation.parameters = parametersOf(operation, addition)
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

/** An operation's parameters. Those of the path are the route's, as decorators describe them. */
function parametersOf({ parameters = [] }: Operation, addition: Operation): Parameter[] {
  const inPath = (addition.parameters ?? []).filter((parameter) => parameter.in === 'path')
  const names = new Set(inPath.map(({ name }) => name))
  const keyOf = ({ name, ...parameter }: Parameter): string =>
    `${parameter.in} ${parameter.in === 'header' ? name.toLowerCase() : name}`
  return lastOf([...inPath, ...parameters], keyOf)
    .filter((parameter) => parameter.in !== 'path' || names.has(parameter.name))
    .map((parameter) => (parameter.in === 'path' ? { ...parameter, required: true } : parameter))
}

/** Of the items with the same key, keeps the last, in the place of the first. */
const lastOf = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
]
