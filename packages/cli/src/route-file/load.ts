import { rmSync, writeFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import * as core from '@hv/router'
import { extensions } from '@hv/router/controllers'
import { type Io, UsageError, display } from '../output.ts'
import { type Planned, isFile, temporaryBeside } from '../project/files.ts'
import { importModule } from '../project/import-module.ts'
import { type RouteFile, describeApi, isApi } from './route-file.ts'

const usualPlaces = ['src/routes', 'routes', 'app/routes', 'src/api/routes', 'config/routes']

/** Finds the route file: the file that `--routes` names, or else the first in the usual places. */
export function findRouteFile({ cwd }: Io, named: string | undefined): string {
  if (named !== undefined) {
    const path = resolve(cwd, named)
    if (!isFile(path))
      throw new UsageError(`no such file: ${named}. Pass the route file with --routes <file>.`)
    return path
  }
  const path = usualPlaces
    .flatMap((place) => extensions.map((extension) => resolve(cwd, `${place}.${extension}`)))
    .find(isFile)
  if (path === undefined)
    throw new UsageError(
      `no route file found. Looked for ${usualPlaces.join(', ')} with .ts, .js and the like. ` +
        'Pass yours with --routes <file>, or write one with init.',
    )
  return path
}

/** Runs the route file, and returns the one API that it exports. */
export async function loadRouteFile(io: Io, named: string | undefined): Promise<RouteFile> {
  const path = findRouteFile(io, named)
  const exported = await importModule(io, path, {
    // The route file gets this program's copy of the core, so that one release both creates and
    // reads the API.
    virtualModules: { '@hv/router': core },
    moduleCache: false,
  })
  const apis = apisIn(exported)
  const [api] = apis.keys()
  const name = display(io, path)
  if (api === undefined)
    throw new UsageError(
      `${name} exports no API. Export what api() returns: export const routes = api(…).`,
    )
  if (apis.size > 1)
    throw new UsageError(
      `${name} exports ${apis.size} APIs: ${[...apis.values()].join(', ')}. ` +
        'Keep each in a file of its own, and choose one with --routes <file>.',
    )
  return describeApi(api, path, name)
}

/** Each API that the file exports, with its name. CommonJS files export inside `default`. */
function apisIn(exported: unknown): ReadonlyMap<core.Api, string> {
  const inner = (exported as { readonly default?: unknown } | null | undefined)?.default
  const apis = new Map<core.Api, string>()
  for (const exports of [{ default: exported }, exported, inner])
    for (const [name, value] of Object.entries(exports ?? {}))
      if (isApi(value)) apis.set(value, name)
  return apis
}

/** Loads a route file's new text from a temporary file, so that bump never writes a broken one. */
export async function tryRouteFile(io: Io, { path, text }: Planned): Promise<void> {
  const beside = temporaryBeside(path, extname(path))
  try {
    writeFileSync(beside, text, { flag: 'wx' })
    await loadRouteFile(io, beside)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const why = error.message.replaceAll(display(io, beside), display(io, path))
    throw new UsageError(`with it, ${why}`)
  } finally {
    rmSync(beside, { force: true })
  }
}
