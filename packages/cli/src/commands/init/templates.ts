// The files that init writes. The lines have one style of quotes and semicolons; `format` replaces it by that of the project.
import { classNameOf } from '../../controllers/class-name.ts'
import type { Style } from '../../syntax/style.ts'
import type { ProjectProfile } from './inspect.ts'

/** Replaces `;` at the end of a line, `'` and the indent by those of the project. */
function format(lines: readonly string[], { quote, end, indent, newline }: Style): string {
  const text = lines.map((line) =>
    line
      .replace(/^(?: {2})+/, (spaces) => indent.repeat(spaces.length / 2))
      .replace(/;$/, end)
      .replaceAll("'", quote),
  )
  return text.join(newline) + newline
}

/** A route file whose version 1 lists and shows the resource. */
export function routeFileText(project: ProjectProfile, resource: string): string {
  const { isModule, style, usesImportEquals, vendor } = project
  if (usesImportEquals)
    return format(
      [
        `import router = require('@hv/router');`,
        '',
        'const routes = router.api(',
        `  { vendorString: '${vendor}' },`,
        `  router.version(1, router.cache({ as: 'v1' }, router.resources('${resource}', { only: ['index', 'show'] }))),`,
        ');',
        '',
        'export = routes;',
      ],
      style,
    )
  const names = '{ api, cache, resources, version }'
  return format(
    [
      isModule ? `import ${names} from '@hv/router';` : `const ${names} = require('@hv/router');`,
      '',
      `${isModule ? 'export ' : ''}const routes = api(`,
      `  { vendorString: '${vendor}' },`,
      `  version(1, cache({ as: 'v1' }, resources('${resource}', { only: ['index', 'show'] }))),`,
      ');',
      ...(isModule ? [] : ['', 'module.exports = { routes };']),
    ],
    style,
  )
}

/** A controller of the resource that responds with sample data. */
export function controllerText(project: ProjectProfile, resource: string): string {
  const { framework, isModule, style, usesImportEquals } = project
  const name = classNameOf(resource)
  return format(
    [
      ...typeImports(project),
      `const ${resource} = [{ id: '1', name: 'Example' }];`,
      '',
      `${isModule && !usesImportEquals ? 'export ' : ''}class ${name} {`,
      ...actionsOf[framework](project, resource),
      '}',
      ...(usesImportEquals ? ['', `export = ${name};`] : isModule ? [] : ['', `module.exports = { ${name} };`]),
    ],
    style,
  )
}

function typeImports({ framework, isTypeScript }: ProjectProfile): readonly string[] {
  return isTypeScript ? [typeImportOf[framework], ''] : []
}

const typeImportOf = {
  express: `import type { Request, Response } from 'express';`,
  fastify: `import type { FastifyReply, FastifyRequest } from 'fastify';`,
  fetch: `import type { RouteMatch } from '@hv/router-fetch';`,
}

function expressActions({ isTypeScript }: ProjectProfile, resource: string): readonly string[] {
  const typed = (name: string, type: string): string => (isTypeScript ? `${name}: ${type}` : name)
  const [req, res] = [typed('req', 'Request'), typed('res', 'Response')]
  return [
    `  index(_${req}, ${res}) {`,
    `    res.json(${resource});`,
    '  }',
    '',
    `  show(${req}, ${res}) {`,
    `    const found = ${resource}.find(({ id }) => id === req.params['id']);`,
    `    if (found) res.json(found);`,
    `    else res.status(404).json({ message: 'Not found' });`,
    '  }',
  ]
}

function fastifyActions({ isTypeScript }: ProjectProfile, resource: string): readonly string[] {
  const request = isTypeScript ? 'request: FastifyRequest<{ Params: { id: string } }>' : 'request'
  const reply = isTypeScript ? 'reply: FastifyReply' : 'reply'
  return [
    '  index() {',
    `    return ${resource};`,
    '  }',
    '',
    `  show(${request}, ${reply}) {`,
    `    const found = ${resource}.find(({ id }) => id === request.params.id);`,
    `    return found ?? reply.code(404).send({ message: 'Not found' });`,
    '  }',
  ]
}

function fetchActions({ isTypeScript }: ProjectProfile, resource: string): readonly string[] {
  const parameters = isTypeScript ? '_request: Request, { params }: RouteMatch<{ id: string }>' : '_request, { params }'
  return [
    '  index() {',
    `    return Response.json(${resource});`,
    '  }',
    '',
    `  show(${parameters}) {`,
    `    const found = ${resource}.find(({ id }) => id === params.id);`,
    `    if (found) return Response.json(found);`,
    `    return Response.json({ message: 'Not found' }, { status: 404 });`,
    '  }',
  ]
}

const actionsOf = { express: expressActions, fastify: fastifyActions, fetch: fetchActions }

/** The lines to paste. The paths are those that the app's file imports. */
export function wiringText(project: ProjectProfile, resource: string, routes: string, controller: string): string {
  const { framework, isEntryModule, style, usesImportEquals } = project
  const className = classNameOf(resource)
  const mount = (create: string) => mountOf(project, `${create}(routes, { 1: { ${resource}: new ${className}() } })`)
  if (usesImportEquals)
    return format(
      [
        `import router = require('@hv/router-${framework}');`,
        `import routes = require('${routes}');`,
        `import ${className} = require('${controller}');`,
        '',
        ...mount('router.createRouter'),
      ],
      { ...style, newline: '\n' },
    )
  const load = (name: string, from: string): string =>
    isEntryModule ? `import { ${name} } from '${from}';` : `const { ${name} } = require('${from}');`
  return format(
    [
      load('createRouter', `@hv/router-${framework}`),
      load('routes', routes),
      load(className, controller),
      '',
      ...mount('createRouter'),
    ],
    { ...style, newline: '\n' },
  )
}

/** The statements that let the app call the router. */
function mountOf(
  { appName, caller, framework, isEntryModule, usesImportEquals }: ProjectProfile,
  router: string,
): readonly string[] {
  if (framework === 'express') return [`${appName}.use(${router});`]
  if (framework === 'fastify') return [`${appName}.register(${router});`]
  if (caller === 'hono') return [`const handler = ${router};`, `${appName}.all('/api/*', (c) => handler(c.req.raw));`]
  if (caller === 'next') {
    const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']
    return [`const handler = ${router};`, `export { ${methods.map((method) => `handler as ${method}`).join(', ')} };`]
  }
  const exporting = usesImportEquals ? 'export =' : isEntryModule ? 'export default' : 'module.exports ='
  return [`${exporting} { fetch: ${router} };`]
}
