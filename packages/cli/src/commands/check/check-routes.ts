import { join } from 'node:path'
import type { ControllerFolder } from '../../controllers/find.ts'
import { type Io, count, display } from '../../output.ts'
import { isFolder } from '../../project/files.ts'
import { listRows, routeShape } from '../../route-file/list-rows.ts'
import { dateOf, endOf, formatLife, lifeOfVersion } from '../../route-file/lives.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { linesOfVersion } from '../../route-file/version-lines.ts'
import { type Finding, error, warning } from './finding.ts'

export interface CheckRoutesOptions {
  readonly now: number
  /** How many days before its sunset a version is reported. */
  readonly within: number
  /** Where the controllers are, if that's known. */
  readonly folder: ControllerFolder | null
}

const day = 86_400_000

/** What's wrong with a route file, without its lock. */
export const checkRoutes = (
  io: Io,
  routeFile: RouteFile,
  options: CheckRoutesOptions,
): readonly Finding[] => [
  ...shadowedRoutes(routeFile),
  ...endedVersions(io, routeFile, options),
  ...nearSunsets(routeFile, options),
  ...deprecatedDefault(routeFile, options.now),
  ...incompleteSuccessors(routeFile),
]

const shadowedRoutes = (routeFile: RouteFile): readonly Finding[] =>
  listRows(routeFile)
    .filter(({ shadowed }) => shadowed)
    .map(({ version, method, pattern, key, action }) =>
      error(
        'shadowed-route',
        `version ${version}: ${method} ${pattern} never reaches ${key}#${action}, ` +
          'because another route with the same method and path comes first',
      ),
    )

/** Versions whose clients get a 410 response, so that their code can go. */
function endedVersions(
  io: Io,
  { path, lives, rows }: RouteFile,
  { now, folder }: CheckRoutesOptions,
): readonly Finding[] {
  return lives.flatMap(({ number, life }) => {
    const end = endOf(life)
    const hasRoutes = rows.some(({ version }) => version === number)
    if (end > now || !hasRoutes) return []

    const file = display(io, path)
    const lines = linesOfVersion(path, number)
    const places =
      lines.length === 0
        ? [file]
        : lines.map(({ from, to }) => `${file}:${from === to ? from : `${from}-${to}`}`)
    const controllers = folder === null ? '' : join(folder.root, `v${number}`)
    if (isFolder(controllers)) places.push(display(io, controllers))
    return [
      warning(
        'ended-version',
        `version ${number} ended on ${dateOf(end)}, ` +
          `but its code is still here: ${places.join(', ')}`,
        { file, line: lines[0]?.from, remedy: 'Move what later versions inherit, then delete it.' },
      ),
    ]
  })
}

/** Versions, and routes with an earlier sunset than their version, that end within some days. */
function nearSunsets(
  routeFile: RouteFile,
  { now, within }: CheckRoutesOptions,
): readonly Finding[] {
  const near = (what: string, sunset: number | null | undefined): readonly Finding[] => {
    if (typeof sunset !== 'number' || sunset <= now || sunset > now + within * day) return []
    const days = count(Math.ceil((sunset - now) / day), 'day')
    return [warning('near-sunset', `${what} ends on ${dateOf(sunset)}, in ${days}`)]
  }
  const endsEarlier = routeFile.rows.filter(
    ({ version, life }) => life?.sunset !== lifeOfVersion(routeFile, version)?.sunset,
  )
  return [
    ...routeFile.lives.flatMap(({ number, life }) => near(`version ${number}`, life?.sunset)),
    ...endsEarlier.flatMap(({ version, method, pattern, life }) =>
      near(`version ${version}: ${method} ${pattern}`, life?.sunset),
    ),
  ]
}

function deprecatedDefault(routeFile: RouteFile, now: number): readonly Finding[] {
  const { defaultVersion } = routeFile
  const life = defaultVersion === null ? null : lifeOfVersion(routeFile, defaultVersion)
  if (life === null || (life.deprecated === null && life.sunset === null)) return []
  const words = formatLife({ life, isPreview: false }, now)
  const name = `version ${defaultVersion} is the default version`
  return [warning('deprecated-default', `${name} and ${words}. Choose a newer one`)]
}

function incompleteSuccessors({ rows }: RouteFile): readonly Finding[] {
  const shapes = new Set(rows.map((row) => `${row.version} ${routeShape(row)}`))
  const without = rows.filter((row) => {
    const successor = row.life?.successor ?? row.version
    return successor !== row.version && !shapes.has(`${successor} ${routeShape(row)}`)
  })
  return without.map(({ version, method, pattern, life }) =>
    warning(
      'incomplete-successor',
      `version ${version}: its successor, version ${life!.successor}, has no ${method} ${pattern}`,
    ),
  )
}
