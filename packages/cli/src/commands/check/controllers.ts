import { extname, join } from 'node:path'
import type { Row } from '@hv/router'
import type { Controllers } from '../../controllers/controllers.ts'
import { groupBy } from '../../group-by.ts'
import { type Io, display, listed } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import type { Unseen } from '../../syntax/parse.ts'
import { type Finding, error, note } from './finding.ts'

/** Controllers and actions that are missing, those that cannot be read, and files that no route reaches. */
export function checkControllers(
  io: Io,
  routeFile: RouteFile,
  controllers: Controllers,
): readonly Finding[] {
  const { files } = controllers.folder
  const reached = groupBy(routeFile.rows, ({ version, key }) => `${version} ${key}`)
  const notes: Note[] = []
  const findings = [...reached.values()].flatMap((rows) => {
    const [{ version, key }] = rows
    const file = files.find((one) => one.version === version && one.key === key)
    const actions = groupBy(rows, ({ action }) => action)
    const routes = [...actions.values()].map(([row]) => nameOf(row))
    if (file === undefined)
      return [missingController(io, rows[0], [...actions.keys()], routes, controllers)]
    const name = display(io, file.path)
    if (controllers.read(file) === null)
      return [
        lacking(
          name,
          `${name} exports no controller, but ${needs(routes)} one in version ${version}`,
        ),
      ]
    return [...actions].flatMap(([action, [row]]) => {
      const found = controllers.find(version, key, action)
      if (found.kind === 'unseen') notes.push({ row, unseen: found.unseen })
      if (found.kind !== 'missing') return []
      const why = found.note === null ? '' : ` (${found.note})`
      return [
        lacking(
          name,
          `${name} has no ${action}(), which ${nameOf(row)} needs in version ${version}${why}`,
        ),
      ]
    })
  })
  const unreached = files
    .filter(({ version, key, isBase }) => !isBase && !reached.has(`${version} ${key}`))
    .map(({ path }) => error('unreached-controller', `no route reaches ${display(io, path)}`))
  // One note for each function that makes actions: `show = wrap(handler)`.
  const groups = groupBy(notes, ({ row: { version, key }, unseen: { isCalled, why } }) =>
    isCalled === true ? why : `${version} ${key} ${why}`,
  )
  return [...findings, ...[...groups.values()].map((group) => notChecked(io, group)), ...unreached]
}

/** An action of which cannot be told whether it exists. */
type Note = { readonly row: Row; readonly unseen: Unseen }

const nameOf = ({ method, pattern }: Row): string => `${method} ${pattern}`

const lacking = (file: string, message: string): Finding =>
  error('missing-action', message, {
    file,
    remedy: 'Add it, or leave the route out with only or except.',
  })

const needs = (routes: readonly string[]): string =>
  `${listed(routes)} ${routes.length === 1 ? 'needs' : 'need'}`

function missingController(
  io: Io,
  { version, key }: Row,
  actions: readonly string[],
  routes: readonly string[],
  { folder }: Controllers,
): Finding {
  // A file whose name differs in spelling alone: `do_it_controller` or `do-it.controller` for `do-it`.
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z\d/]/g, '')
  const similar = folder.files.find(
    (file) => file.version === version && letters(file.key) === letters(key),
  )
  const path = join(
    folder.root,
    `v${version}`,
    `${key}_controller${extname(folder.files[0]?.path ?? '.ts')}`,
  )
  const listedActions = listed(actions.map((action) => `${action}()`))
  const remedy =
    similar === undefined
      ? `Write it, with ${listedActions}`
      : `Did you mean ${display(io, similar.path)}?`
  const message = `there is no ${display(io, path)}, which ${needs(routes)} in version ${version}. ${remedy}`
  return error('missing-controller', message, { file: display(io, path) })
}

function notChecked(io: Io, group: readonly [Note, ...Note[]]): Finding {
  const { why, place } = group[0].unseen
  const actions = [...new Set(group.map(({ row: { key, action } }) => `${key}#${action}`))]
  const file = display(io, place.path)
  return note('not-checked', `${listed(actions)}: ${why} (${file}:${place.line})`, {
    actions,
    file,
    line: place.line,
  })
}
