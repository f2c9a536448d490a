// The files that init writes. Templates are ES modules, formatted as bump's are. What's between «
// and » is left out in JavaScript.
import type { ProjectProfile } from './inspect.ts'

type Language = Pick<ProjectProfile, 'isModule' | 'isTypeScript'>

/** Writes a template as a module or as CommonJS, in TypeScript or JavaScript. */
function format(template: string, { isModule, isTypeScript }: Language): string {
  const module = template.replace(/«([^»]*)»/g, isTypeScript ? '$1' : '')
  if (isModule) return module
  const [, name] = /^export \w+ (\w+)/m.exec(module) ?? []
  const text = module
    .replace(/^import (.*) from (.*)$/gm, 'const $1 = require($2)')
    .replace(/^export default/m, 'module.exports =')
    .replace(/^export /m, '')
  return name === undefined ? text : `${text}\nmodule.exports = { ${name} }\n`
}

/** A route file whose version 1 lists and shows users. */
export const routeFileText = (project: ProjectProfile): string =>
  format(
    `import { api, resources, version } from '@hv/router'

export const routes = api(
  { vendorString: '${project.vendor}' },
  version(1, resources('users', { only: ['index', 'show'] })),
)
`,
    project,
  )

/** A controller that responds with sample data. */
export function controllerText(project: ProjectProfile): string {
  const { head, actions } = controllers[project.framework]
  return format(
    `${head}const users = [{ id: '1', name: 'Example' }]

${project.framework === 'nest' ? '@Controller()\n' : ''}export class UsersController {
${actions}
}
`,
    project,
  )
}

const controllers = {
  express: {
    head: "«import type { Request, Response } from 'express'\n\n»",
    actions: `  index(_req«: Request», res«: Response») {
    res.json(users)
  }

  show(req«: Request», res«: Response») {
    const user = users.find(({ id }) => id === req.params['id'])
    if (user) res.json(user)
    else res.status(404).json({ message: 'Not found' })
  }`,
  },
  fastify: {
    head: "«import type { FastifyReply, FastifyRequest } from 'fastify'\n\n»",
    actions: `  index() {
    return users
  }

  show(request«: FastifyRequest<{ Params: { id: string } }>», reply«: FastifyReply») {
    const user = users.find(({ id }) => id === request.params.id)
    return user ?? reply.code(404).send({ message: 'Not found' })
  }`,
  },
  fetch: {
    head: "«import type { RouteMatch } from '@hv/router-fetch'\n\n»",
    actions: `  index() {
    return Response.json(users)
  }

  show(_request«: Request», { params }«: RouteMatch<{ id: string }>») {
    const user = users.find(({ id }) => id === params.id)
    if (user) return Response.json(user)
    return Response.json({ message: 'Not found' }, { status: 404 })
  }`,
  },
  nest: {
    head: "import { Controller, NotFoundException, Param } from '@nestjs/common'\n\n",
    actions: `  index() {
    return users
  }

  show(@Param('id') id: string) {
    const user = users.find((item) => item.id === id)
    if (!user) throw new NotFoundException('Not found')
    return user
  }`,
  },
}

/** A Nest module that serves the routes. */
export const moduleText = (project: ProjectProfile, routes: string, controller: string): string =>
  format(
    `import { VersionedApiModule } from '@hv/router-nest'
import { Module } from '@nestjs/common'
import { UsersController } from '${controller}'
import { routes } from '${routes}'

@Module({
  imports: [VersionedApiModule.forRoot(routes, { 1: { users: UsersController } })],
  controllers: [UsersController],
})
export class ApiModule {}
`,
    project,
  )

/**
 * The lines to paste, which import the routes and the controller by these paths. For Nest, `routes`
 * is the module.
 */
export function wiringText(project: ProjectProfile, routes: string, controller: string): string {
  const { framework, isEntryModule, isTypeScript } = project
  const lines =
    framework === 'nest'
      ? `import { ApiModule } from '${routes}'\n\n// in @Module(): imports: [ApiModule]`
      : `import { createRouter } from '@hv/router-${framework}'
import { routes } from '${routes}'
import { UsersController } from '${controller}'

${mountOf(project, 'createRouter(routes, { 1: { users: new UsersController() } })')}`
  return format(lines, { isModule: isEntryModule, isTypeScript })
}

/**
 * Returns the statements that make the app call the router, under a comment that says where they
 * go.
 */
function mountOf({ appName, caller, framework }: ProjectProfile, router: string): string {
  if (framework === 'express')
    return `// before the handler that responds with 404\n${appName}.use(${router})`
  if (framework === 'fastify')
    return `// inside the plugin that adds your authentication hook, if there is one\n${appName}.register(${router})`
  if (caller === 'hono')
    return `const handler = ${router}\n// after your app's other routes under /api\n${appName}.all('/api/*', (c) => handler(c.req.raw))`
  if (caller === 'runtime') return `export default { fetch: ${router} }`
  return `const handler = ${router}
export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}`
}
