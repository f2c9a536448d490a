import { join } from 'node:path'
import type { Life } from '@hv/router'
import type { ControllerFolder } from '../../controllers/find.ts'
import { type Io, count, display } from '../../output.ts'
import { isFolder } from '../../project/files.ts'
import { endpointOf } from '../../route-file/list-rows.ts'
import { dateOf, endOf, formatLife } from '../../route-file/lives.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { linesOfVersion } from '../../route-file/source.ts'
import { parseFile } from '../../syntax/parse.ts'
import { type Finding, error, warning } from './finding.ts'

interface CheckRoutesOptions {
  /** Report a version this many days before its sunset. */
  readonly within: number
  /** Where the controllers are, if that's known. */
  readonly folder: ControllerFolder | null
}

const day = 86_400_000

/** Checks a route file by itself, without comparing it with the lock. */
export function checkRoutes(
  io: Io,
  routeFile: RouteFile,
  options: CheckRoutesOptions,
): readonly Finding[] {
  const { rows, lives, defaultVersion, now } = routeFile
  const shadowed = rows.filter((row) => row.shadowed)
  const findings = shadowed.map(({ version, method, pattern, target }) =>
    error(
      'shadowed-route',
      `version ${version}: ${method} ${pattern} never reaches ${target}, ` +
        'because another route with the same method and path comes first',
    ),
  )
  findings.push(...endedVersions(io, routeFile, options), ...nearSunsets(routeFile, options))
  const served = lives.find(({ number }) => number === defaultVersion)
  if (served?.life && (served.life.deprecated !== null || served.life.sunset !== null)) {
    const words = formatLife(served, now)
    const name = `version ${defaultVersion} is the default version`
    findings.push(warning('deprecated-default', `${name} and ${words}. Choose a newer one`))
  }
  return [...findings, ...incompleteSuccessors(routeFile)]
}

/**
 * Reports versions that have ended. Their clients get a 410 response, so the code can be deleted.
 */
function endedVersions(
  io: Io,
  { path, name, lives, rows, now }: RouteFile,
  { folder }: CheckRoutesOptions,
): readonly Finding[] {
  const ended = lives.filter(
    ({ number, life }) => endOf(life) <= now && rows.some(({ version }) => version === number),
  )
  if (ended.length === 0) return []
  const source = parseFile(path)
  return ended.map(({ number, life }) => {
    const lines = 'why' in source ? [] : linesOfVersion(source, number)
    const places = lines.map(({ from, to }) => `${name}:${from === to ? from : `${from}-${to}`}`)
    if (lines.length === 0) places.push(name)
    const controllers = folder === null ? '' : join(folder.root, `v${number}`)
    if (isFolder(controllers)) places.push(display(io, controllers))
    const finding = warning(
      'ended-version',
      `version ${number} ended on ${dateOf(endOf(life))}, ` +
        `but its code is still here: ${places.join(', ')}`,
    )
    const remedy = 'Move what later versions inherit, then delete it.'
    return { ...finding, file: name, line: lines[0]?.from, remedy }
  })
}

/**
 * Reports versions that end within `within` days, and routes that end then but earlier than their
 * version.
 */
function nearSunsets(
  { lives, rows, now }: RouteFile,
  { within }: CheckRoutesOptions,
): readonly Finding[] {
  const findings: Finding[] = []
  function check(what: string, life: Life | null): void {
    const days = ((life?.sunset ?? Infinity) - now) / day
    if (days <= 0 || days > within) return
    const end = `${dateOf(life!.sunset!)}, in ${count(Math.ceil(days), 'day')}`
    findings.push(warning('near-sunset', `${what} ends on ${end}`))
  }
  const sunsets = new Map(lives.map(({ number, life }) => [number, life?.sunset]))
  for (const { number, life } of lives) check(`version ${number}`, life)
  for (const { version, method, pattern, life } of rows)
    if (life?.sunset !== sunsets.get(version))
      check(`version ${version}: ${method} ${pattern}`, life)
  return findings
}

function incompleteSuccessors({ rows }: RouteFile): readonly Finding[] {
  const endpoints = new Set(rows.map(endpointOf))
  return rows.flatMap((row) => {
    const { version, method, pattern, life } = row
    const successor = life?.successor ?? version
    if (endpoints.has(endpointOf({ ...row, version: successor }))) return []
    const place = `version ${version}: its successor, version ${successor},`
    return [warning('incomplete-successor', `${place} has no ${method} ${pattern}`)]
  })
}
