import { extname, join } from 'node:path'
import type { Controllers } from '../../controllers/controllers.ts'
import type { Unseen } from '../../controllers/value.ts'
import { type Io, display, listed } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type Finding, error } from './finding.ts'

/** Controllers and actions that are missing, those that cannot be read, and files that no route reaches. */
export function checkControllers(io: Io, routeFile: RouteFile, controllers: Controllers): readonly Finding[] {
  const reached = new Map<string, { version: number; key: string; routes: Map<string, string> }>()
  for (const { version, key, action, method, pattern } of routeFile.rows) {
    const one = reached.get(`${version} ${key}`) ?? { version, key, routes: new Map() }
    reached.set(`${version} ${key}`, one)
    if (!one.routes.has(action)) one.routes.set(action, `${method} ${pattern}`)
  }
  const notes = new Map<string, { readonly unseen: Unseen; readonly version: number; readonly actions: Set<string> }>()
  const findings = [...reached.values()].flatMap(({ version, key, routes }) => {
    const file = controllers.folder.files.find((one) => one.version === version && one.key === key)
    if (file === undefined) return [missingController(io, version, key, routes, controllers)]
    const name = display(io, file.path)
    if (controllers.read(file) === null)
      return [
        lacking(name, `${name} exports no controller, but ${needs([...routes.values()])} one in version ${version}`),
      ]
    return [...routes].flatMap(([action, route]) => {
      const found = controllers.find(version, key, action)
      if (found.kind === 'missing') {
        const why = found.note === null ? '' : ` (${found.note})`
        return [lacking(name, `${name} has no ${action}(), which ${route} needs in version ${version}${why}`)]
      }
      if (found.kind === 'unseen') {
        const { unseen } = found
        // One note for each function that makes actions: `show = wrap(handler)`.
        const id = unseen.isCalled === true ? unseen.why : `${version} ${key} ${unseen.why}`
        const note = notes.get(id) ?? { unseen, version, actions: new Set<string>() }
        notes.set(id, note)
        note.actions.add(`${key}#${action}`)
      }
      return []
    })
  })
  const unreached = controllers.folder.files
    .filter(({ version, key, isBase }) => !isBase && !reached.has(`${version} ${key}`))
    .map(({ path }) => error('unreached-controller', `no route reaches ${display(io, path)}`))
  return [...findings, ...[...notes.values()].map((note) => notChecked(io, note)), ...unreached]
}

const lacking = (file: string, message: string): Finding => ({
  ...error('missing-action', message),
  file,
  remedy: 'Add it, or leave the route out with only or except.',
})
const needs = (routes: readonly string[]): string => `${listed(routes)} ${routes.length === 1 ? 'needs' : 'need'}`

function missingController(
  io: Io,
  version: number,
  key: string,
  routes: ReadonlyMap<string, string>,
  { folder }: Controllers,
): Finding {
  // A file whose name differs in spelling alone: `do_it_controller` or `do-it.controller` for `do-it`.
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z\d/]/g, '')
  const similar = folder.files.find((file) => file.version === version && letters(file.key) === letters(key))
  const path = join(folder.root, `v${version}`, `${key}_controller${extname(folder.files[0]?.path ?? '.ts')}`)
  const actions = listed([...routes.keys()].map((action) => `${action}()`))
  const remedy = similar === undefined ? `Write it, with ${actions}` : `Did you mean ${display(io, similar.path)}?`
  const message = `there is no ${display(io, path)}, which ${needs([...routes.values()])} in version ${version}. ${remedy}`
  return { ...error('missing-controller', message), file: display(io, path) }
}

function notChecked(
  io: Io,
  {
    unseen: { why, place, isCalled },
    version,
    actions,
  }: { readonly unseen: Unseen; readonly version: number; readonly actions: ReadonlySet<string> },
): Finding {
  const names = [...actions]
  const file = display(io, place.path)
  const assumed = names.length === 1 ? 'is assumed to be a function' : 'are assumed to be functions'
  const what = isCalled === true ? `${listed(names)} ${assumed}` : `version ${version}: ${listed(names)}`
  const message = `${what}: ${why} (${file}:${place.line})`
  return { code: 'not-checked', message, level: 'note', actions: names, file, line: place.line }
}
