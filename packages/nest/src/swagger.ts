/**
 * One document per version for `@nestjs/swagger`.
 *
 * @module
 */
import { type Api, event, mediaType, routeTable } from '@hv/router'
import type { VersionOf } from '@hv/router/adapter'
import { eventsOf } from '@hv/router/internal'
import { openapi } from '@hv/router-openapi'
import { withProblems } from '@hv/router-openapi/internal'
import {
  Controller,
  type INestApplication,
  Logger,
  RequestMapping,
  RequestMethod,
  type Type,
} from '@nestjs/common'
import { ApplicationConfig } from '@nestjs/core'
import { type OpenAPIObject, type SwaggerDocumentOptions, SwaggerModule } from '@nestjs/swagger'
import { declareOlder } from './action-schema.ts'
import { olderActionOf } from './before.ts'
import { describeSchema } from './dto-schema.ts'
import { type VersionedApi, arrange } from './handlers.ts'
import { forgetInheritedParameters } from './inheritance.ts'
import { toOpenApi31 } from './openapi31.ts'
import type { NestControllers } from './types.ts'

/**
 * Creates a version's OpenAPI 3.1 document. The decorators of `@nestjs/swagger` and its compiler
 * plugin describe the actions. The route file adds paths, path parameters, media types, headers,
 * refusals and what's deprecated.
 *
 * @param config - what `DocumentBuilder` builds. Its OpenAPI version may be 3.0, which is what
 *   `DocumentBuilder` sets by default, or 3.1. The document always has OpenAPI 3.1. If it has
 *   paths, as what `SwaggerModule.createDocument` returns does, the document has them as well
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
  const api = routes as Api
  const classes = (controllers as VersionedApi['classes'])[version]!
  // The route file's part of the document. Each of its operations names its action.
  const actions = arrange(routeTable(api), ({ key, action }) => ({
    schema: { tags: [key, action] },
    handler() {},
  }))
  const models = new Set(options.extraModels as Type[] | undefined)
  const described: any = actions[version]
  for (const { key, name, action } of eventsOf(classes)) {
    const { response, ...about } = action.schema
    if (about.hide === true) continue
    const webhook = event(describeSchema(response.default, models), about)
    described[key] = { ...described[key], [name]: webhook }
  }
  const generate = (components = {}): any =>
    openapi(api, actions, {
      version: version as never,
      info: { title: '', version: '' },
      components,
    })
  const metatypes = new Map<Type, object>()
  for (const [path, methods] of Object.entries<object>(generate().paths))
    for (const [method, { tags }] of Object.entries<any>(methods)) {
      const metatype = describe(
        classes[tags[0]]!,
        tags[1],
        method,
        path.replaceAll(/\{(\w+)\}/g, ':$1'),
      )
      metatypes.set(metatype, { metatype, instance: Object.create(metatype.prototype) })
    }
  const module = { controllers: metatypes, metatype: class Versioned {}, imports: new Set() }
  // The part of an app that the scanner reads, without the app's global prefix and Nest's versions,
  // which don't apply to the API.
  const scanned = {
    container: { getModules: () => new Map([['versioned', module]]) },
    config: new ApplicationConfig(),
    getHttpAdapter: () => app.getHttpAdapter(),
  }
  const created = SwaggerModule.createDocument(
    scanned as never,
    { ...config, openapi: '3.1.0' },
    { ...options, include: [], extraModels: [...models] },
  )
  const document: any = toOpenApi31({ ...created, paths: { ...config.paths, ...created.paths } })
  for (const [name, { properties }] of Object.entries<any>(document.components.schemas))
    if (properties !== undefined && Object.keys(properties).length === 0)
      Logger.warn(
        `The documents show no property of ${name}. Add @ApiProperty() to each, or use @nestjs/swagger's compiler plugin, and import PartialType and the like from @nestjs/swagger.`,
        'createVersionDocument',
      )
  // The decorators' components are there already, so the route file's get different names.
  return complete(document, generate(document.components), mediaType(api, { version }))
}

/**
 * Creates a class for the scanner that has one method, for a method of HTTP and a path. It inherits
 * what decorators say about the class and the method, but no other methods, because those could
 * have routes of their own.
 */
function describe(metatype: Type, action: string, method: string, path: string): Type {
  const described = { [metatype.name]: class {} }[metatype.name]!
  Object.setPrototypeOf(described, metatype)
  const operation = { [action]() {} }[action]!
  Object.setPrototypeOf(operation, metatype.prototype[action])
  const prototype: any = described.prototype
  prototype[action] = operation
  const types = Reflect.getMetadata('design:paramtypes', metatype.prototype, action)
  Reflect.defineMetadata('design:paramtypes', types, prototype, action)
  RequestMapping({
    path,
    method: RequestMethod[method.toUpperCase() as keyof typeof RequestMethod],
  })(prototype, action, { value: operation })
  Controller()(described)
  forgetInheritedParameters(metatype, action)
  const older = olderActionOf(metatype, action)
  if (older !== undefined) declareOlder(described, action, older)
  return described
}

/** Adds what the route file knows, unless decorators declare it. */
function complete(document: any, generated: any, type: string): OpenAPIObject {
  const operationIds = new Set<string>()
  const { components } = generated
  for (const [path, methods] of Object.entries<object>(generated.paths))
    for (const [method, addition] of Object.entries<any>(methods)) {
      const operation = document.paths[path]?.[method]
      if (operation === undefined) continue // @ApiExcludeEndpoint()
      const { operationId, tags, security } = operation
      for (let i = 2; operationIds.has(operation.operationId); i++)
        operation.operationId = `${operationId}_${i}`
      operationIds.add(operation.operationId)
      // A subclass may repeat what its parent declares.
      if (tags) operation.tags = lastOf(tags, String)
      if (security) operation.security = lastOf(security, JSON.stringify)
      operation.parameters = parametersOf(operation.parameters, addition.parameters)
      const { '2XX': success, ...refusals } = addition.responses
      for (const [status, response] of Object.entries<any>(operation.responses)) {
        const { content } = response
        if (!status.startsWith('2')) {
          // An exception's type is JSON, and what a handler returns has the vendor type.
          if (content?.['application/json']) content[type] = content['application/json']
          continue
        }
        // This includes a 204, because Swagger UI sends the type as Accept, and without one it
        // sends a type that allows every version.
        const { 'application/json': json, ...rest } = content ?? { 'application/json': {} }
        response.content = { ...(json && { [type]: json }), ...rest }
        response.headers = { ...success?.headers, ...response.headers }
      }
      operation.responses = withProblems(operation.responses, refusals, components.responses)
      if (addition.deprecated) operation.deprecated = true
    }
  if (generated.webhooks) document.webhooks = { ...document.webhooks, ...generated.webhooks }
  return { ...document, components }
}

/** An operation's parameters. Those of the path are the route's, as decorators describe them. */
function parametersOf(declared: any[] = [], routes: any[] = []): any[] {
  const inPath = routes.filter((parameter) => parameter.in === 'path')
  const keyOf = ({ in: place, name }: any) =>
    `${place} ${place === 'header' ? name.toLowerCase() : name}`
  return lastOf([...inPath, ...declared], keyOf)
    .filter(
      ({ in: place, name }) => place !== 'path' || inPath.some((route) => route.name === name),
    )
    .map((parameter) => (parameter.in === 'path' ? { ...parameter, required: true } : parameter))
}

/** If several items have the same key, keeps the last one, in the first one's place. */
const lastOf = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
]
