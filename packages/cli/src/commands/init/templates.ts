// The files that init writes, with single quotes and semicolons. Only TypeScript has what is between « and ».
import { classNameOf } from '../../controllers/find.ts'
import type { ProjectProfile } from './inspect.ts'

/** Writes a template as the project writes its files. */
function format(template: string, { isTypeScript, style: { quote, end, indent, newline } }: ProjectProfile): string {
  return template
    .replace(/«([^»]*)»/g, isTypeScript ? '$1' : '')
    .replace(/^(?: {2})+/gm, (spaces) => indent.repeat(spaces.length / 2))
    .replace(/;$/gm, end)
    .replaceAll("'", quote)
    .replaceAll('\n', newline)
}

const load = (isModule: boolean, names: string, from: string): string =>
  isModule ? `import { ${names} } from '${from}';` : `const { ${names} } = require('${from}');`

/** A route file whose version 1 lists and shows the resource. */
export const routeFileText = (project: ProjectProfile, resource: string): string =>
  format(
    `${load(project.isModule, 'api, cache, resources, version', '@hv/router')}

${project.isModule ? 'export ' : ''}const routes = api(
  { vendorString: '${project.vendor}' },
  version(1, cache({ as: 'v1' }, resources('${resource}', { only: ['index', 'show'] }))),
);
${project.isModule ? '' : '\nmodule.exports = { routes };\n'}`,
    project,
  )

/** A controller of the resource that responds with sample data. */
export function controllerText(project: ProjectProfile, resource: string): string {
  const name = classNameOf(resource)
  const { head, actions } = controllers[project.framework]
  return format(
    `${head}const ${resource} = [{ id: '1', name: 'Example' }];

${project.framework === 'nest' ? '@Controller()\n' : ''}${project.isModule ? 'export ' : ''}class ${name} {
${actions(resource)}
}
${project.isModule ? '' : `\nmodule.exports = { ${name} };\n`}`,
    project,
  )
}

const controllers = {
  express: {
    head: "«import type { Request, Response } from 'express';\n\n»",
    actions: (users: string) => `  index(_req«: Request», res«: Response») {
    res.json(${users});
  }

  show(req«: Request», res«: Response») {
    const found = ${users}.find(({ id }) => id === req.params['id']);
    if (found) res.json(found);
    else res.status(404).json({ message: 'Not found' });
  }`,
  },
  fastify: {
    head: "«import type { FastifyReply, FastifyRequest } from 'fastify';\n\n»",
    actions: (users: string) => `  index() {
    return ${users};
  }

  show(request«: FastifyRequest<{ Params: { id: string } }>», reply«: FastifyReply») {
    const found = ${users}.find(({ id }) => id === request.params.id);
    return found ?? reply.code(404).send({ message: 'Not found' });
  }`,
  },
  fetch: {
    head: "«import type { RouteMatch } from '@hv/router-fetch';\n\n»",
    actions: (users: string) => `  index() {
    return Response.json(${users});
  }

  show(_request«: Request», { params }«: RouteMatch<{ id: string }>») {
    const found = ${users}.find(({ id }) => id === params.id);
    if (found) return Response.json(found);
    return Response.json({ message: 'Not found' }, { status: 404 });
  }`,
  },
  nest: {
    head: "import { Controller, NotFoundException, Param } from '@nestjs/common';\n\n",
    actions: (users: string) => `  index() {
    return ${users};
  }

  show(@Param('id') id: string) {
    const found = ${users}.find((one) => one.id === id);
    if (!found) throw new NotFoundException('Not found');
    return found;
  }`,
  },
}

/** A Nest module that serves the resource. */
export function moduleText(project: ProjectProfile, resource: string, routes: string, controller: string): string {
  const name = classNameOf(resource)
  return format(
    `import { VersionedApiModule } from '@hv/router-nest';
import { Module } from '@nestjs/common';
import { ${name} } from '${controller}';
import { routes } from '${routes}';

@Module({
  imports: [VersionedApiModule.forRoot(routes, { 1: { ${resource}: ${name} } })],
  controllers: [${name}],
})
export class ApiModule {}
`,
    project,
  )
}

/** The lines to paste. The paths are those that the app's file imports: for Nest, the first is that of the module. */
export function wiringText(project: ProjectProfile, resource: string, routes: string, controller: string): string {
  const { framework, isEntryModule, style } = project
  const pasted: ProjectProfile = { ...project, style: { ...style, newline: '\n' } }
  if (framework === 'nest')
    return format(`import { ApiModule } from '${routes}';\n\n// in @Module(): imports: [ApiModule]`, pasted)
  const name = classNameOf(resource)
  return format(
    [
      load(isEntryModule, 'createRouter', `@hv/router-${framework}`),
      load(isEntryModule, 'routes', routes),
      load(isEntryModule, name, controller),
      '',
      mountOf(project, `createRouter(routes, { 1: { ${resource}: new ${name}() } })`),
    ].join('\n'),
    pasted,
  )
}

/** The statements that let the app call the router. */
function mountOf({ appName, caller, framework, isEntryModule }: ProjectProfile, router: string): string {
  if (framework === 'express') return `${appName}.use(${router});`
  if (framework === 'fastify') return `${appName}.register(${router});`
  if (caller === 'hono') return `const handler = ${router};\n${appName}.all('/api/*', (c) => handler(c.req.raw));`
  if (caller === 'runtime') return `${isEntryModule ? 'export default' : 'module.exports ='} { fetch: ${router} };`
  const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map((method) => `handler as ${method}`)
  return `const handler = ${router};\nexport { ${methods.join(', ')} };`
}
