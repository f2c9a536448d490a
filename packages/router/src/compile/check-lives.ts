import type { Life } from '../declare/life.ts'
import type { Settings } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import { type VersionRoutes, rowOf } from './route.ts'

/**
 * Checks what the lives of versions and routes mean together. The rows of routes with a life are made here, so their
 * headers exist before the first request.
 *
 * @throws RouterError HV_SUNSET when a route would end before it is deprecated; HV_SUCCESSOR
 */
export function checkLives(settings: Settings, table: readonly VersionRoutes[]): void {
  const { versions, lives } = settings
  for (const [index, version] of versions.entries()) checkSuccessor(lives[index]!, version, `version(${version})`)
  for (const { version, index, routes } of table)
    for (const route of routes) {
      if (route.life === null) continue
      const { life, method, pattern } = rowOf(settings, route, index)
      // A route that its successor inherits has no successor there.
      if (route.declaredIn === version || !versions.includes(life!.successor ?? version))
        checkSuccessor(life, version, `${method} ${pattern} in version ${version}`)
    }

  function checkSuccessor(life: Life | null, version: number, where: string): void {
    const successor = life?.successor ?? null
    if (successor === null) return
    const endOf = (one: Life | null | undefined): number => one?.sunset ?? Infinity
    const known = versions.filter((one, index) => one !== version && endOf(lives[index]) >= endOf(life))
    if (!known.includes(successor)) throw new RouterError('HV_SUCCESSOR', { where, received: successor, known })
  }
}
