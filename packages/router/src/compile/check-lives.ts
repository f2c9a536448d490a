import type { Life } from '../declare/life.ts'
import type { Settings } from '../declare/settings.ts'
import { RouterError } from '../errors.ts'
import type { RowOf, VersionRoutes } from './route.ts'

/**
 * Checks the dates of versions and routes in combination. As a side effect, this creates the rows
 * of routes with dates, so that their headers exist before the first request.
 *
 * @throws RouterError HV_SUNSET if a route would end before it's deprecated; HV_SUCCESSOR
 */
export function checkLives(
  settings: Settings,
  table: readonly VersionRoutes[],
  rowOf: RowOf,
): void {
  const { versions, lives } = settings
  for (const [index, version] of versions.entries())
    assertSuccessor(lives[index]!, version, `version ${version}`)
  for (const { version, index, routes } of table)
    for (const route of routes) {
      if (route.lives.length === 0) continue
      const { life, method, pattern } = rowOf(route, index)
      const successor = life!.successor ?? version
      // A version that inherits routes also inherits their successor, which may be that very
      // version. It only counts if it's a later one, and the route really ends.
      const isPromised = successor > version && life!.firstOutage < Infinity
      if (route.declaredIn === version || isPromised || !versions.includes(successor))
        assertSuccessor(life, version, `${method} ${pattern} in version ${version}`)
    }

  function assertSuccessor(life: Life | null, version: number, where: string): void {
    const successor = life?.successor ?? null
    if (successor === null) return
    const problemWith = (candidate: number) => {
      if (!versions.includes(candidate)) return 'undeclared'
      if (candidate === version) return 'itself'
      if (leadsTo(candidate, version)) return 'leads-back'
      return endOf(lives[versions.indexOf(candidate)]) < endOf(life) ? 'retired-first' : null
    }
    const reason = problemWith(successor)
    if (reason === null) return
    const known = versions.filter((candidate) => problemWith(candidate) === null)
    throw new RouterError('HV_SUCCESSOR', { where, received: successor, known, reason })
  }

  /** Whether a version is `to`, or leads to it through its successors. */
  function leadsTo(from: number | null, to: number, hops = versions.length): boolean {
    if (from === null || from === to || hops === 0) return from === to
    return leadsTo(lives[versions.indexOf(from)]?.successor ?? null, to, hops - 1)
  }
}

const endOf = (life: Life | null | undefined): number => life?.sunset ?? Infinity
