import { existsSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { importPath } from '../../controllers/import-path.ts'
import { type Io, UsageError, display, print, printStep } from '../../output.ts'
import { type Planned, allOrNothing, isFolder, writeInside } from '../../project/files.ts'
import { type Command, type Define, type OptionsOf, parser } from '../define.ts'
import { type Framework, type ProjectProfile, inspectProject } from './inspect.ts'
import { controllerText, moduleText, routeFileText, wiringText } from './templates.ts'

const declare = (command: Command) =>
  command
    .option(
      '--framework <name>',
      'express, fastify, fetch or nest (default: the one that fits package.json)',
      parser<Framework>(
        /^(?:express|fastify|fetch|nest)$/,
        'Pass express, fastify, fetch or nest.',
      ),
    )
    .option(
      '--vendor <name>',
      'the vendor in application/vnd.<vendor>+json (default: the scope or name of the package)',
      parser(/^[a-z\d][\w.-]*$/i, 'A vendor consists of letters, digits, dots and dashes.'),
    )
    .option(
      '--resource <name>',
      'the first resource',
      parser(
        /^[a-z][a-z\d_]*$/,
        'A resource consists of lowercase letters, digits and underscores: line_items.',
      ),
      'users',
    )
    .option('--routes <file>', 'the route file to write (default: src/routes.ts and the like)')

export type InitOptions = OptionsOf<typeof declare>
export const define: Define = (command, run) =>
  declare(command).action((options) => run((io) => init(io, options)))

/** Writes a route file and a controller into an existing project, and prints the lines that wire them. */
function init(io: Io, options: InitOptions): number {
  const { resource } = options
  const project = inspectProject(io, options)
  const extension = project.isTypeScript ? '.ts' : '.js'
  const routes =
    options.routes === undefined
      ? defaultRouteFile(io, project, extension)
      : resolve(io.cwd, options.routes)
  const controller = join(
    io.cwd,
    project.base,
    `controllers/api/v1/${resource}_controller${extension}`,
  )
  const from = (path: string, file: string): string =>
    importPath(dirname(file), path.slice(0, -extname(path).length)) + project.importExtension
  const files = [
    {
      option: 'another route file with --routes',
      path: routes,
      text: routeFileText(project, resource),
    },
    {
      option: 'another resource with --resource',
      path: controller,
      text: controllerText(project, resource),
    },
  ]
  const module = join(io.cwd, project.base, 'api.module.ts')
  const isNest = project.framework === 'nest'
  if (isNest) {
    const text = moduleText(project, resource, from(routes, module), from(controller, module))
    files.push({ option: 'another folder with --cwd', path: module, text })
  }
  writeNew(io, files)
  for (const { path } of files) printStep(io, 'create', display(io, path))

  const missing = packagesOf(project).filter((name) => !project.dependencies.has(name))
  if (missing.length > 0) print(io, '', 'Install:', '', `  npm install ${missing.join(' ')}`)
  const entry = join(io.cwd, project.entry ?? join(project.base, 'app'))
  const wiring = wiringText(
    project,
    resource,
    from(isNest ? module : routes, entry),
    from(controller, entry),
  )
  print(
    io,
    '',
    `Add to ${project.entry ?? 'your app'}:`,
    '',
    ...wiring
      .trimEnd()
      .replace(/^(?=.)/gm, '  ')
      .split('\n'),
  )
  const named = options.routes === undefined ? '' : ` --routes ${options.routes}`
  print(io, '', `Then see the routes: npx @hv/router-cli routes${named}`)
  const { port, vendor } = project
  print(
    io,
    '',
    `The vendor is ${vendor}. If you want a different one, change vendorString in ${display(io, routes)} before you release.`,
    'Start your app, and try it:',
    '',
    `  curl localhost:${port}/api/${resource} -H "Accept: application/vnd.${vendor}+json;version=1"`,
  )
  return 0
}

/** The packages that the app imports. Nest's serves on the adapter of its platform. */
function packagesOf({ framework, dependencies }: ProjectProfile): readonly string[] {
  const adapter = dependencies.has('@nestjs/platform-fastify') ? 'fastify' : 'express'
  const nest = framework === 'nest' ? [`@hv/router-${adapter}`] : []
  return ['@hv/router', `@hv/router-${framework}`, ...nest]
}

/** `src/routes.ts`. Where a folder has that name, a file beside it would be imported in its place. */
function defaultRouteFile({ cwd }: Io, { base }: ProjectProfile, extension: string): string {
  const file = join(cwd, base, 'routes')
  if (!isFolder(file)) return file + extension
  return join(cwd, base === 'src' ? 'src/api/routes' : 'config/routes') + extension
}

function writeNew(io: Io, files: readonly (Planned & { readonly option: string })[]): void {
  const existing = files.filter(({ path }) => existsSync(path))
  if (existing.length > 0)
    throw new UsageError(
      `nothing was written, because these files exist: ${existing.map(({ path }) => display(io, path)).join(', ')}. ` +
        `Choose ${existing.map(({ option }) => option).join(', and ')}.`,
    )
  const paths = files.map(({ path }) => path)
  allOrNothing('nothing was written', paths, () => {
    for (const file of files) writeInside(io.cwd, file)
  })
}
