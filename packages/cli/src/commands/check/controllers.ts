import { type Io, display } from '../../output.ts'
import type { ActionFound, Controllers } from '../../controllers/controllers.ts'
import type { Place } from '../../syntax/parse.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type Finding, error } from './finding.ts'

interface Reached {
  readonly version: number
  readonly key: string
  readonly actions: Set<string>
}

/** Controllers and actions that are missing, those that cannot be read, and files that no route reaches. */
export function checkControllers(io: Io, routeFile: RouteFile, controllers: Controllers): readonly Finding[] {
  const reached = new Map<string, Reached>()
  for (const { version, key, action } of routeFile.rows) {
    const one = reached.get(`${version} ${key}`) ?? { version, key, actions: new Set() }
    reached.set(`${version} ${key}`, one)
    one.actions.add(action)
  }
  const unreached = controllers.folder.files
    .filter(({ version, key }) => !reached.has(`${version} ${key}`))
    .map(({ path }) => error('unreached-controller', `no route reaches ${display(io, path)}`))
  const findings = [...reached.values()].flatMap((one) => checkController(io, one, controllers))
  return [...findings, ...noteCalled(io, [...reached.values()], controllers), ...unreached]
}

/** One note for each function whose results are assumed to be actions, however many they are: `show = wrap(handler)`. */
function noteCalled(io: Io, reached: readonly Reached[], { find }: Controllers): readonly Finding[] {
  const byReason = new Map<string, { readonly actions: Set<string>; readonly place: Place }>()
  for (const { version, key, actions } of reached)
    for (const action of actions) {
      const found = find(version, key, action)
      if (found.kind !== 'called') continue
      const { why, place } = found.unseen
      const note = byReason.get(why) ?? { actions: new Set(), place }
      byReason.set(why, note)
      note.actions.add(`${key}#${action}`)
    }
  return [...byReason].map(([why, { actions, place }]) => {
    const [first] = actions
    const file = display(io, place.path)
    const assumed =
      actions.size === 1
        ? `${first} is assumed to be a function`
        : `${actions.size} actions, such as ${first}, are assumed to be functions`
    const message = `${assumed}: ${why} (${file}:${place.line})`
    return { code: 'not-checked', message, level: 'note', actions: [...actions], file, line: place.line }
  })
}

function checkController(io: Io, { version, key, actions }: Reached, controllers: Controllers): readonly Finding[] {
  if (!controllers.has(version, key)) {
    const message = `version ${version} has no controller ${key}: v${version}/${key}_controller, with ${[...actions].join(', ')}`
    const similar = similarFile(version, key, controllers)
    return [error('missing-controller', similar === undefined ? message : `${message} (found ${display(io, similar)})`)]
  }
  const found = [...actions].map((action) => [action, controllers.find(version, key, action)] as const)
  const missing = found.filter(([, { kind }]) => kind === 'missing')
  const notes = [
    ...new Set(missing.flatMap(([, one]) => (one.kind === 'missing' && one.note !== null ? [one.note] : []))),
  ]
  const lacks = `version ${version}: ${key} lacks ${missing.map(([action]) => action).join(', ')}`
  return [
    ...(missing.length === 0
      ? []
      : [error('missing-action', notes.length === 0 ? lacks : `${lacks} (${notes.join('; ')})`)]),
    ...notChecked(io, version, key, found),
  ]
}

/** One note for each reason why reading the files does not show an action. */
function notChecked(
  io: Io,
  version: number,
  key: string,
  found: readonly (readonly [string, ActionFound])[],
): readonly Finding[] {
  const byReason = new Map<string, { readonly actions: string[]; readonly file: string; readonly line: number }>()
  for (const [action, one] of found) {
    if (one.kind !== 'unseen') continue
    const { why, place } = one.unseen
    const note = byReason.get(why) ?? { actions: [], file: display(io, place.path), line: place.line }
    byReason.set(why, note)
    note.actions.push(`${key}#${action}`)
  }
  return [...byReason].map(([why, { actions, file, line }]) => ({
    code: 'not-checked',
    message: `version ${version}: ${actions.join(', ')}: ${why} (${file}:${line})`,
    level: 'note',
    actions,
    file,
    line,
  }))
}

/** A file whose name differs in spelling alone: `do_it_controller` or `do-it.controller` for `do-it`. */
function similarFile(version: number, key: string, { folder }: Controllers): string | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z\d/]/g, '')
  return folder.files.find((file) => file.version === version && letters(file.key) === letters(key))?.path
}
