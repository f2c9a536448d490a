import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type Api, RouterError, routeTable } from '@hv/router'
import { controllerKeyOf } from './controller-key.ts'
import { findDanger } from './find-danger.ts'
import { type Io, UsageError, count, paint, print, printJson } from './io.ts'
import { listRows } from './list-rows.ts'
import { type Loaded, loadRoutes } from './load-routes.ts'
import { compareLock, createLock, type Lock } from './lock.ts'
import { createProviders } from './providers.ts'
import { type ControllerFolder, findControllers } from './sources.ts'

export interface CheckOptions {
  readonly routes?: string
  readonly controllers?: string
  /** A lock file, or true for `routes.lock.json`. */
  readonly lock?: string | true
  readonly updateLock?: boolean
  readonly json?: boolean
}

export interface Finding {
  /** Stable: `missing-controller`, `changed-route`, or the code of a RouterError. */
  readonly code: string
  readonly message: string
}

/** Reports what is wrong with a route file and its controllers, one line each. Exit code 1 when anything is. */
export async function check(io: Io, options: CheckOptions): Promise<number> {
  let loaded: Loaded
  try {
    loaded = await loadRoutes(io, options.routes)
  } catch (error) {
    if (!(error instanceof RouterError)) throw error
    return report(io, options, [{ code: error.code, message: error.message.slice(error.code.length + 2) }], '')
  }
  const { api } = loaded
  const folder = findControllers(io, options.controllers)
  const lockFile = resolve(io.cwd, typeof options.lock === 'string' ? options.lock : 'routes.lock.json')
  const findings = [
    ...(folder === null ? [] : controllerFindings(io, api, folder)),
    ...listRows(api, null)
      .filter(({ shadowed }) => shadowed)
      .map(({ version, method, path, controller, action }) => ({
        code: 'shadowed-route',
        message: `version ${version}: ${method} ${path} never reaches ${controller}#${action}, because another row of the same path stands before it`,
      })),
    ...constraintFindings(api),
    ...(options.lock === undefined || options.updateLock === true ? [] : lockFindings(io, api, lockFile)),
  ]
  const code = report(
    io,
    options,
    findings,
    `${count(routeTable(api).length, 'route')}${folder === null ? ', no controllers folder found' : `, ${count(folder.files.length, 'controller')}`}`,
  )
  if (options.updateLock === true) {
    writeFileSync(lockFile, `${JSON.stringify(createLock(api), null, 2)}\n`)
    if (options.json !== true) print(io, `${relative(io.cwd, lockFile)} holds all declared versions as released.`)
  }
  return code
}

function report(io: Io, { json }: CheckOptions, findings: readonly Finding[], counted: string): number {
  if (json === true) printJson(io, findings)
  else {
    for (const { code, message } of findings) print(io, `${paint(io.out, 'red', code)}  ${message}`)
    print(io, findings.length === 0 ? `No findings: ${counted}.` : `${count(findings.length, 'finding')}.`)
  }
  return findings.length === 0 ? 0 : 1
}

function controllerFindings(io: Io, api: Api, folder: ControllerFolder): readonly Finding[] {
  const providers = createProviders(folder)
  const reached = new Map<string, { version: number; key: string; actions: Set<string> }>()
  for (const row of routeTable(api)) {
    const key = controllerKeyOf(api, row)
    const place = reached.get(`${row.version} ${key}`) ?? { version: row.version, key, actions: new Set() }
    reached.set(`${row.version} ${key}`, place)
    place.actions.add(row.action)
  }
  const missing = [...reached.values()].flatMap(({ version, key, actions }): readonly Finding[] => {
    if (!providers.has(version, key))
      return [
        {
          code: 'missing-controller',
          message: `version ${version} has no controller ${key}: v${version}/${key}_controller, with ${[...actions].join(', ')}`,
        },
      ]
    const lacking = [...actions].filter((action) => providers.providerOf(version, key, action) === null)
    return lacking.length === 0
      ? []
      : [{ code: 'missing-action', message: `version ${version}: ${key} lacks ${lacking.join(', ')}` }]
  })
  const unreached = folder.files
    .filter(({ version, key }) => !reached.has(`${version} ${key}`))
    .map(({ path }) => ({ code: 'unreached-controller', message: `no route reaches ${relative(io.cwd, path)}` }))
  return [...missing, ...unreached]
}

function constraintFindings({ table }: Api): readonly Finding[] {
  const routes = new Set(table.flatMap((version) => version.routes))
  const findings = new Map<string, Finding>()
  for (const { path, constraints } of routes)
    for (const [param, pattern] of Object.entries(constraints)) {
      const source = typeof pattern === 'string' ? pattern : pattern.source
      const danger = findDanger(source, typeof pattern === 'string' ? '' : pattern.flags)
      if (danger === null) continue
      const message = `the constraint /${source}/ of ':${param}' in ${path} could take very long on a hostile value: ${danger}. Part repetitions by a separator, or bound them: {1,20}`
      findings.set(message, { code: 'slow-constraint', message })
    }
  return [...findings.values()]
}

function lockFindings(io: Io, api: Api, file: string): readonly Finding[] {
  const name = relative(io.cwd, file)
  if (!existsSync(file))
    throw new UsageError(`there is no ${name}. Write it when a version is released: hv-router check --update-lock.`)
  let lock: Lock
  try {
    lock = JSON.parse(readFileSync(file, 'utf8')) as Lock
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}`)
  }
  if (typeof lock !== 'object' || lock === null || typeof lock.versions !== 'object' || lock.versions === null)
    throw new UsageError(`${name} is no lock file: it holds no versions.`)
  return compareLock(lock, createLock(api))
}
