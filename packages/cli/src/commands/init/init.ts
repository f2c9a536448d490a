import { dirname, join, resolve } from 'node:path'
import { didYouMean } from '@hv/router/internal'
import { InvalidArgumentError } from 'commander'
import { importPath } from '../../controllers/import-path.ts'
import { type Io, display, npx, print, printFiles } from '../../output.ts'
import { allOrNothing, assertNew, isFolder, writeInside } from '../../project/files.ts'
import { type Command, type OptionsOf, parser } from '../define.ts'
import { type Framework, type ProjectProfile, inspectProject } from './inspect.ts'
import { controllerText, moduleText, routeFileText, wiringText } from './templates.ts'

const frameworks: readonly string[] = ['express', 'fastify', 'fetch', 'nest'] satisfies Framework[]

function parseFramework(text: string): Framework {
  if (frameworks.includes(text)) return text as Framework
  throw new InvalidArgumentError(
    `Pass express, fastify, fetch or nest.${didYouMean(text, frameworks)}`,
  )
}

export const declare = (command: Command) =>
  command
    .option(
      '--framework <name>',
      'express, fastify, fetch or nest (default: the one that fits package.json)',
      parseFramework,
    )
    .option(
      '--vendor <name>',
      'the vendor in application/vnd.<vendor>+json (default: the scope or name of the package)',
      parser(/^[a-z\d][\w.-]*$/i, 'A vendor consists of letters, digits, dots and dashes.'),
    )
    .option('--routes <file>', 'the route file to write (default: src/routes.ts and the like)')

export type InitOptions = OptionsOf<typeof declare>

/**
 * Writes a route file and a controller into an existing project, and prints the lines that connect
 * them to the app.
 */
export function run(io: Io, options: InitOptions): number {
  const project = inspectProject(io, options)
  const extension = project.isTypeScript ? '.ts' : '.js'
  const folder = join(io.cwd, project.base)
  const named = options.routes
  const routes = resolve(io.cwd, named ?? defaultRouteFile(io, project.base) + extension)
  const controller = join(folder, `controllers/api/v1/users_controller${extension}`)
  const module = join(folder, 'api.module.ts')
  const from = (path: string, file: string) => importPath(file, path, project.importExtension)
  const files = [
    // Every file has to be inside the project, except a route file that the user named.
    {
      root: named === undefined ? io.cwd : dirname(routes),
      path: routes,
      text: routeFileText(project),
    },
    { root: io.cwd, path: controller, text: controllerText(project) },
  ]
  const isNest = project.framework === 'nest'
  if (isNest) {
    const text = moduleText(project, from(routes, module), from(controller, module))
    files.push({ root: io.cwd, path: module, text })
  }
  assertNew(
    io,
    files,
    ' Move them, or pass a different folder with --cwd <folder> or a different route file with --routes <file>.',
  )
  allOrNothing('nothing was written', files, () => files.forEach(writeInside))
  printFiles(io, 'create', files)

  const missing = packagesOf(project).filter((name) => !project.dependencies.has(name))
  if (missing.length > 0) print(io, '', 'Install:', '', `  npm install ${missing.join(' ')}`)
  const entry = join(io.cwd, project.entry ?? join(project.base, 'app'))
  const wiring = wiringText(project, from(isNest ? module : routes, entry), from(controller, entry))
  print(
    io,
    '',
    `Add to ${project.entry ?? 'your app'}:`,
    '',
    ...wiring.replaceAll(/^(?=.)/gm, '  ').split('\n'),
    '',
    `The controller responds with sample data. ${isNest ? 'If your app has controllers already, follow https://hv-router.github.io/router/guide/coming-from-nestjs instead.' : 'If your app already handles /api/users, move that code there.'}`,
    `Then see the routes: ${npx} routes${named === undefined ? '' : ` --routes ${named}`}`,
    '',
    `The vendor is ${project.vendor}, and paths start with /api. Before you release, you can change both in ${display(io, routes)}: vendorString, and path: '' for paths without /api.`,
    'Start your app, and try it:',
    '',
    `  curl localhost:${project.port}/api/users -H "Accept: application/vnd.${project.vendor}+json;version=1"`,
    '',
    `When version 1 is released, ${npx} bump starts version 2: it adds version(2, inherit({ from: 1 })) and its controllers.`,
  )
  return 0
}

/**
 * Lists the packages that the app needs. Nest runs on Express or Fastify, so a Nest app also needs
 * that framework's adapter.
 */
function packagesOf({ framework, dependencies }: ProjectProfile): readonly string[] {
  const adapter = dependencies.has('@nestjs/platform-fastify') ? 'fastify' : 'express'
  const nest = framework === 'nest' ? [`@hv/router-${adapter}`] : []
  return ['@hv/router', `@hv/router-${framework}`, ...nest]
}

/**
 * Returns `src/routes.ts`, unless there's a folder `src/routes`. The app's imports of that folder
 * would then load our file instead, so it goes elsewhere.
 */
function defaultRouteFile({ cwd }: Io, base: string): string {
  if (!isFolder(join(cwd, base, 'routes'))) return join(base, 'routes')
  return base === 'src' ? 'src/api/routes' : 'config/routes'
}
