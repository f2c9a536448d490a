import type { RouteFile } from '../../route-file/route-file.ts'
import { dateOf, lifeOfVersion, stateOf } from '../../route-file/lives.ts'
import { routeShape } from '../../route-file/list-rows.ts'
import { type Finding, warning } from './finding.ts'

const day = 86_400_000

/** Warns of ends that are near, of a default version that ends, and of successors that lack a route. */
export const checkLives = (routeFile: RouteFile, within: number, now: number): readonly Finding[] => [
  ...nearSunsets(routeFile, within, now),
  ...deprecatedDefault(routeFile, now),
  ...lackingSuccessors(routeFile),
]

function nearSunsets(routeFile: RouteFile, within: number, now: number): readonly Finding[] {
  const near = (sunset: number | null | undefined): sunset is number =>
    typeof sunset === 'number' && sunset > now && sunset <= now + within * day
  const when = (sunset: number): string => {
    const days = Math.ceil((sunset - now) / day)
    return `on ${dateOf(sunset)}, in ${days} day${days === 1 ? '' : 's'}`
  }
  const versions = routeFile.lives.flatMap(({ number, life }) =>
    near(life?.sunset) ? [warning('near-sunset', `version ${number} ends ${when(life!.sunset!)}`)] : [],
  )
  const routes = routeFile.rows.flatMap(({ version, method, path, life }) =>
    near(life?.sunset) && life!.sunset !== lifeOfVersion(routeFile, version)?.sunset
      ? [warning('near-sunset', `version ${version}: ${method} ${path} ends ${when(life!.sunset!)}`)]
      : [],
  )
  return [...versions, ...routes]
}

function deprecatedDefault(routeFile: RouteFile, now: number): readonly Finding[] {
  const { defaultVersion } = routeFile
  const life = defaultVersion === null ? null : lifeOfVersion(routeFile, defaultVersion)
  if (life === null || (life.deprecated === null && life.sunset === null)) return []
  const end =
    life.sunset === null
      ? 'is deprecated'
      : stateOf({ life, isPreview: false }, now) === 'retired'
        ? `was retired on ${dateOf(life.sunset)}, so requests without a version get a 410 response`
        : `ends on ${dateOf(life.sunset)}`
  return [
    warning(
      'deprecated-default',
      `version ${defaultVersion} is the default version and ${end}; choose another, or defaultVersion: 'oldest'`,
    ),
  ]
}

function lackingSuccessors({ rows }: RouteFile): readonly Finding[] {
  const shapes = new Set(rows.map((row) => `${row.version} ${routeShape(row)}`))
  return rows.flatMap((row) => {
    const successor = row.life?.successor ?? null
    if (successor === null || successor === row.version || shapes.has(`${successor} ${routeShape(row)}`)) return []
    const route = `${row.method} ${row.path}`
    return [
      warning('lacking-successor', `version ${row.version}: its successor, version ${successor}, has no ${route}`),
    ]
  })
}
