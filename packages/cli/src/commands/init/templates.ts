// The files that init writes: modules with single quotes and semicolons. Only TypeScript has what is between « and ».
import { classNameOf } from '@hv/router/controllers'
import type { ProjectProfile } from './inspect.ts'

/** Writes a template as the project writes its files. */
function format(template: string, { isModule, isTypeScript, style }: ProjectProfile): string {
  const text = template.replace(/«([^»]*)»/g, isTypeScript ? '$1' : '')
  return (isModule ? text : commonJsOf(text))
    .replace(/^(?: {2})+/gm, (spaces) => style.indent.repeat(spaces.length / 2))
    .replace(/;$/gm, style.end)
    .replaceAll("'", style.quote)
    .replaceAll('\n', style.newline)
}

function commonJsOf(module: string): string {
  const [, name] = /^export \w+ (\w+)/m.exec(module) ?? []
  const text = module
    .replace(/^import (.*) from (.*);$/gm, 'const $1 = require($2);')
    .replace(/^export default/m, 'module.exports =')
    .replace(/^export /m, '')
  return name === undefined ? text : `${text}\nmodule.exports = { ${name} };\n`
}

/** A route file whose version 1 lists and shows the resource. */
export const routeFileText = (project: ProjectProfile, resource: string): string =>
  format(
    `import { api, cache, resources, version } from '@hv/router';

export const routes = api(
  { vendorString: '${project.vendor}' },
  version(1, cache({ as: 'v1' }, resources('${resource}', { only: ['index', 'show'] }))),
);
`,
    project,
  )

/** A controller of the resource that responds with sample data. */
export function controllerText(project: ProjectProfile, resource: string): string {
  const { head, actions } = controllers[project.framework]
  return format(
    `${head}const ${resource} = [{ id: '1', name: 'Example' }];

${project.framework === 'nest' ? '@Controller()\n' : ''}export class ${classNameOf(resource)} {
${actions(resource)}
}
`,
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
export function moduleText(
  project: ProjectProfile,
  resource: string,
  routes: string,
  controller: string,
): string {
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
export function wiringText(
  project: ProjectProfile,
  resource: string,
  routes: string,
  controller: string,
): string {
  const { framework, isEntryModule, style } = project
  const name = classNameOf(resource)
  const lines =
    framework === 'nest'
      ? `import { ApiModule } from '${routes}';\n\n// in @Module(): imports: [ApiModule]`
      : `import { createRouter } from '@hv/router-${framework}';
import { routes } from '${routes}';
import { ${name} } from '${controller}';

${mountOf(project, `createRouter(routes, { 1: { ${resource}: new ${name}() } })`)}`
  return format(lines, { ...project, isModule: isEntryModule, style: { ...style, newline: '\n' } })
}

/** The statements that let the app call the router. */
function mountOf({ appName, caller, framework }: ProjectProfile, router: string): string {
  if (framework === 'express') return `${appName}.use(${router});`
  if (framework === 'fastify') return `${appName}.register(${router});`
  if (caller === 'hono')
    return `const handler = ${router};\n${appName}.all('/api/*', (c) => handler(c.req.raw));`
  if (caller === 'runtime') return `export default { fetch: ${router} };`
  const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map(
    (method) => `handler as ${method}`,
  )
  return `const handler = ${router};\nexport { ${methods.join(', ')} };`
}
