import { count } from '../../output.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { dateOf, formatLife, lifeOfVersion } from '../../route-file/lives.ts'
import { routeShape } from '../../route-file/list-rows.ts'
import { type Finding, warning } from './finding.ts'

const day = 86_400_000

/** Warns of ends that are near, of a default version that ends, and of successors that lack a route. */
export const checkLives = (
  routeFile: RouteFile,
  within: number,
  now: number,
): readonly Finding[] => [
  ...nearSunsets(routeFile, within, now),
  ...deprecatedDefault(routeFile, now),
  ...lackingSuccessors(routeFile),
]

function nearSunsets(routeFile: RouteFile, within: number, now: number): readonly Finding[] {
  const near = (what: string, sunset: number | null | undefined): readonly Finding[] => {
    if (typeof sunset !== 'number' || sunset <= now || sunset > now + within * day) return []
    const days = count(Math.ceil((sunset - now) / day), 'day')
    return [warning('near-sunset', `${what} ends on ${dateOf(sunset)}, in ${days}`)]
  }
  return [
    ...routeFile.lives.flatMap(({ number, life }) => near(`version ${number}`, life?.sunset)),
    ...routeFile.rows
      .filter(({ version, life }) => life?.sunset !== lifeOfVersion(routeFile, version)?.sunset)
      .flatMap(({ version, method, path, life }) =>
        near(`version ${version}: ${method} ${path}`, life?.sunset),
      ),
  ]
}

function deprecatedDefault(routeFile: RouteFile, now: number): readonly Finding[] {
  const { defaultVersion } = routeFile
  const life = defaultVersion === null ? null : lifeOfVersion(routeFile, defaultVersion)
  if (life === null || (life.deprecated === null && life.sunset === null)) return []
  const words = formatLife({ life, isPreview: false }, now)
  const message = `version ${defaultVersion} is the default version and ${words}. Choose a newer one`
  return [warning('deprecated-default', message)]
}

function lackingSuccessors({ rows }: RouteFile): readonly Finding[] {
  const shapes = new Set(rows.map((row) => `${row.version} ${routeShape(row)}`))
  return rows.flatMap((row) => {
    const successor = row.life?.successor ?? null
    if (
      successor === null ||
      successor === row.version ||
      shapes.has(`${successor} ${routeShape(row)}`)
    )
      return []
    const route = `${row.method} ${row.path}`
    return [
      warning(
        'lacking-successor',
        `version ${row.version}: its successor, version ${successor}, has no ${route}`,
      ),
    ]
  })
}
