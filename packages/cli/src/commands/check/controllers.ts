import type { Controllers } from '../../controllers/controllers.ts'
import type { Unseen } from '../../controllers/value.ts'
import { type Io, display } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type Finding, error } from './finding.ts'

/** Controllers and actions that are missing, those that cannot be read, and files that no route reaches. */
export function checkControllers(io: Io, routeFile: RouteFile, controllers: Controllers): readonly Finding[] {
  const reached = new Map<string, { version: number; key: string; actions: Set<string> }>()
  for (const { version, key, action } of routeFile.rows) {
    const one = reached.get(`${version} ${key}`) ?? { version, key, actions: new Set() }
    reached.set(`${version} ${key}`, one)
    one.actions.add(action)
  }
  const notes = new Map<string, { readonly unseen: Unseen; readonly version: number; readonly actions: Set<string> }>()
  const findings = [...reached.values()].flatMap(({ version, key, actions }) => {
    if (!controllers.has(version, key)) return [missingController(io, version, key, [...actions], controllers)]
    const missing: string[] = []
    const reasons = new Set<string>()
    for (const action of actions) {
      const found = controllers.find(version, key, action)
      if (found.kind === 'missing') {
        missing.push(action)
        if (found.note !== null) reasons.add(found.note)
      } else if (found.kind === 'unseen') {
        const { unseen } = found
        // One note for each function that makes actions: `show = wrap(handler)`.
        const id = unseen.isCalled === true ? unseen.why : `${version} ${key} ${unseen.why}`
        const note = notes.get(id) ?? { unseen, version, actions: new Set<string>() }
        notes.set(id, note)
        note.actions.add(`${key}#${action}`)
      }
    }
    const why = reasons.size === 0 ? '' : ` (${[...reasons].join('; ')})`
    const lacks = `version ${version}: ${key} lacks ${missing.join(', ')}${why}`
    return missing.length === 0 ? [] : [error('missing-action', lacks)]
  })
  const unreached = controllers.folder.files
    .filter(({ version, key, isBase }) => !isBase && !reached.has(`${version} ${key}`))
    .map(({ path }) => error('unreached-controller', `no route reaches ${display(io, path)}`))
  return [...findings, ...[...notes.values()].map((note) => notChecked(io, note)), ...unreached]
}

function missingController(
  io: Io,
  version: number,
  key: string,
  actions: readonly string[],
  { folder }: Controllers,
): Finding {
  // A file whose name differs in spelling alone: `do_it_controller` or `do-it.controller` for `do-it`.
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z\d/]/g, '')
  const similar = folder.files.find((file) => file.version === version && letters(file.key) === letters(key))
  const found = similar === undefined ? '' : ` (found ${display(io, similar.path)})`
  return error(
    'missing-controller',
    `version ${version} has no controller ${key}: v${version}/${key}_controller, with ${actions.join(', ')}${found}`,
  )
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
  const listed = names.length > 3 ? `${names.length} actions, such as ${names[0]},` : names.join(', ')
  const what = isCalled === true ? `${listed} ${assumed}` : `version ${version}: ${names.join(', ')}`
  const message = `${what}: ${why} (${file}:${place.line})`
  return { code: 'not-checked', message, level: 'note', actions: names, file, line: place.line }
}
