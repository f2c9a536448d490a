// The files that init writes, as lines without quotes' and semicolons' style: `format` puts that in.
import { classNameOf } from '../../controllers/class-name.ts'
import type { Style } from '../../syntax/style.ts'
import type { Project } from './inspect.ts'

/** `;` at the end of a line means what the project ends statements with, `'` for its quotes. */
function format(lines: readonly string[], { quote, end, indent, newline }: Style): string {
  const text = lines.map((line) =>
    line
      .replace(/^(?: {2})+/, (spaces) => indent.repeat(spaces.length / 2))
      .replace(/;$/, end)
      .replaceAll("'", quote),
  )
  return text.join(newline) + newline
}

export function routeFileText(project: Project, resource: string): string {
  const { isModule, style, vendor } = project
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

export function controllerText(project: Project, resource: string): string {
  const { framework, isModule, style } = project
  const name = classNameOf(resource)
  const body = framework === 'express' ? expressActions(project, resource) : fastifyActions(project, resource)
  return format(
    [
      ...typeImports(project),
      `const ${resource} = [{ id: '1', name: 'Ann' }];`,
      '',
      `${isModule ? 'export ' : ''}class ${name} {`,
      ...body,
      '}',
      ...(isModule ? [] : ['', `module.exports = { ${name} };`]),
    ],
    style,
  )
}

function typeImports({ framework, isTypeScript }: Project): readonly string[] {
  if (!isTypeScript) return []
  return framework === 'express'
    ? [`import type { Request, Response } from 'express';`, '']
    : [`import type { FastifyReply, FastifyRequest } from 'fastify';`, '']
}

function expressActions({ isTypeScript }: Project, resource: string): readonly string[] {
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

function fastifyActions({ isTypeScript }: Project, resource: string): readonly string[] {
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

/** The lines to paste. The paths are those that the app's file imports. */
export function wiringText(project: Project, resource: string, routes: string, controller: string): string {
  const { appName, framework, isModule, style } = project
  const className = classNameOf(resource)
  const load = (name: string, from: string): string =>
    isModule ? `import { ${name} } from '${from}';` : `const { ${name} } = require('${from}');`
  return format(
    [
      load('createRouter', `@hv/router-${framework}`),
      load('routes', routes),
      load(className, controller),
      '',
      `${appName}.${framework === 'express' ? 'use' : 'register'}(createRouter(routes, { 1: { ${resource}: new ${className}() } }));`,
    ],
    { ...style, newline: '\n' },
  )
}
