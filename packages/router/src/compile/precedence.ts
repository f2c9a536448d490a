import type { Row } from './route.ts'

/**
 * Whether one of a version's routes comes before an earlier route with the same method and path. A
 * route that the version declares itself comes before an inherited one. Otherwise, the route file's
 * order decides.
 */
export const comesFirst = (
  version: number,
  declaredIn: number,
  earlierDeclaredIn: number,
): boolean => declaredIn === version && earlierDeclaredIn !== version

/**
 * Lists the rows that the matcher tries first. If several rows have the same version, method and
 * path, only one of them serves requests, unless their constraints differ.
 *
 * @param pathOf - what tells paths apart. Default: their shape
 */
export function reachable(
  rows: readonly Row[],
  pathOf: (row: Row) => string = ({ shape }) => shape,
): readonly Row[] {
  const firstRows = new Map<string, Row>()
  for (const row of rows) {
    const { version, method, inheritedFrom } = row
    const key = `${version} ${method} ${pathOf(row)}`
    const earlier = firstRows.get(key)
    const declaredIn = inheritedFrom ?? version
    if (earlier === undefined || comesFirst(version, declaredIn, earlier.inheritedFrom ?? version))
      firstRows.set(key, row)
  }
  return [...firstRows.values()]
}
