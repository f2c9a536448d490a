// Tests by Fastify and its plugins that don't pass with versioned routes. `npm run parity` fails if one is missing here, and if one
// here passes again.
import type { Mode } from './modes.ts'

export interface Difference {
  /** Why: the words in bold that begin a paragraph of docs/guide/native-routes.md. */
  readonly reason: string
  /** @default each mode but `native` */
  readonly onlyIn?: readonly Mode[]
  /** The tests' names, by file (`fastify/test/hooks.test.js`). The second of two with one name is `name #2`. */
  readonly tests: Readonly<Record<string, readonly string[]>>
}

export const differences: readonly Difference[] = [
  {
    reason: 'Two more headers.',
    tests: {
      // The test replaces `reply.getHeader()`.
      '@fastify/cors/test/cors.test.js': [
        'Should always add vary header to `Origin` for reflected origin (vary is array)',
      ],
    },
  },
  {
    reason: '405 instead of 404.',
    tests: {
      'fastify/test/404s.test.js': [
        'unsupported method',
        'unsupported method #2',
        'root unsupported method',
        'run hooks on default 404',
        'run non-encapsulated plugin hooks on default 404',
        'hooks check 404',
      ],
      'fastify/test/hooks.test.js': [
        'onSend hook should receive valid request and reply objects if a custom content type parser fails',
      ],
      'fastify/test/router-compile.test.js': [
        'routerOptions.compile defaults to false',
        'routerOptions.compile: true compiles the routes on ready',
      ],
    },
  },
  {
    reason: 'Malformed URLs.',
    tests: {
      'fastify/test/404s.test.js': [
        'Dynamic route',
        'Bad URL with special characters should be properly JSON escaped',
        'Dynamic route #2',
      ],
      'fastify/test/inject.test.js': [
        'Should not throw on access to routeConfig frameworkErrors handler - FST_ERR_BAD_URL',
      ],
      'fastify/test/router-options.test.js': [
        'Should honor frameworkErrors option - FST_ERR_BAD_URL',
        'Should supply Fastify request to the logger in frameworkErrors wrapper - FST_ERR_BAD_URL',
        'Should honor disableRequestLogging option in frameworkErrors wrapper - FST_ERR_BAD_URL',
        'Should honor disableRequestLogging function in frameworkErrors wrapper - FST_ERR_BAD_URL',
        'Should honor routerOptions.onBadUrl',
        'Should honor routerOptions.onBadUrl when no method tree exists',
      ],
    },
  },
  {
    reason: 'Route lists.',
    tests: {
      'fastify/test/find-route.test.js': [
        'findRoute should work correctly when used within plugins',
      ],
      'fastify/test/pretty-print.test.js': [
        'pretty print - static routes',
        'pretty print - internal tree - static routes',
        'pretty print - parametric routes',
        'pretty print - internal tree - parametric routes',
        'pretty print - mixed parametric routes',
        'pretty print - wildcard routes',
        'pretty print - internal tree - wildcard routes',
        'pretty print - commonPrefix',
        'pretty print - includeMeta, includeHooks',
      ],
      'fastify/test/router-compile.test.js': [
        'routerOptions.compile: true keeps findRoute and hasRoute working',
      ],
      'fastify/test/router-options.test.js': ['Should honor routerOptions.buildPrettyMeta'],
    },
  },
  {
    reason: 'Route options.',
    tests: {
      'fastify/test/hooks.test.js': [
        'onRoute hook should preserve handler function in options of shorthand route system configuration',
      ],
      'fastify/test/request-error.test.js': [
        'request.routeOptions.method is an array with uppercase string',
      ],
      'fastify/test/router-options.test.js': [
        'Should expose router options via getters on request and reply',
      ],
      '@fastify/cors/test/hooks.test.js': [
        'Should set hook onRequest if hook option is not set',
        'Should set hook onRequest if hook option is set to onRequest',
        'Should set hook preParsing if hook option is set to preParsing',
        'Should set hook preParsing if hook option is set to preParsing #2',
        'Should set hook preValidation if hook option is set to preValidation',
        'Should set hook preHandler if hook option is set to preHandler',
        'Should set hook preSerialization if hook option is set to preSerialization',
      ],
    },
  },
  {
    reason: 'Schemas per version.',
    onlyIn: ['derived'],
    tests: {
      'fastify/test/schema-feature.test.js': [
        'Should emit warning if the schema headers is undefined',
        'Should emit warning if the schema body is undefined',
        'Should emit warning if the schema query is undefined',
        'Should emit warning if the schema params is undefined',
        'Should emit a warning for every route with undefined schema',
        'Custom validator compiler receives the literal boolean false schema',
        'FSTWRN001 is emitted only for explicitly undefined schemas, not boolean false',
        'setSchemaController: custom validator instance should not mutate headers schema',
      ],
      'fastify/test/schema-serialization.test.js': [
        'Custom serializer per route',
        'Reply serializer win over serializer ',
        'Reply serializer win over serializer  #2',
      ],
      'fastify/test/schema-validation.test.js': [
        'External AJV instance',
        'Encapsulation',
        'Triple $ref with a simple $id',
        'Custom validator compiler should not mutate schema',
        'header schema with an external $ref emits FSTSEC002 (case-normalization does not reach it)',
        'header schema with a $ref inside propertyNames emits FSTSEC003 (case-normalization does not reach it)',
        'header schema detects a $ref inside propertyNames nested in an array',
        'header schema detects an external $ref nested in an array',
      ],
    },
  },
  {
    reason: 'Errors in `reply.send()`.',
    tests: {
      'fastify/test/reply-error.test.js': [
        "'*' should throw an error due to serializer can not handle the payload type",
        'should throw an error if the custom serializer does not serialize the payload to a valid type',
      ],
    },
  },
  {
    reason: 'Trailing slashes.',
    tests: {
      'fastify/test/route-prefix.test.js': [
        'prefix "/prefix/" does not match "/prefix" with a / route',
        'reports the canonical route url for hidden prefix trailing slash route',
      ],
    },
  },
  {
    reason: 'HEAD.',
    tests: {
      'fastify/test/route.5.test.js': [
        'Do not create a HEAD route for each GET one (exposeHeadRoutes: false)',
      ],
      'fastify/test/route.6.test.js': ['Will not create a HEAD route that is not GET'],
      'fastify/test/route.7.test.js': [
        'HEAD route should be exposed if route exposeHeadRoute is set',
      ],
      'fastify/test/schema-feature.test.js': ['Customize validator compiler in instance and route'],
      'fastify/test/schema-serialization.test.js': [
        'Custom setSerializerCompiler',
        'Custom setSerializerCompiler with addSchema',
      ],
    },
  },
  {
    reason: 'Empty parameters.',
    tests: {
      'fastify/test/schema-feature.test.js': [
        'Shared schema should NOT be ignored in != string enum',
      ],
    },
  },
  {
    reason: 'Accept headers that ask for something else.',
    tests: { 'fastify/test/schema-serialization.test.js': ['Different content types'] },
  },
]
