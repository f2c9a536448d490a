import { groupBy } from '../../group-by.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type ComparedRoute, callOf } from './compare.ts'
import type { Contract, Difference, Move } from './contract.ts'

/** What a client does to move to another version, as Markdown. */
export function guide(
  { settings }: RouteFile,
  { from, to }: Move,
  routes: readonly ComparedRoute[],
  contract: Contract | null,
): readonly string[] {
  const { changes = [], differences = [] } = contract ?? {}
  const routesThatAre = (status: ComparedRoute['status']): readonly string[] => {
    // A payload that differs is in the last two sections.
    const listed = routes.filter(
      (route) => route.status === status && (status !== 'changed' || route.was !== undefined),
    )
    return list(listed.map((route) => `\`${route.method} ${route.pattern}\` (${callOf(route)})`))
  }
  const differencesIn = (direction: Difference['direction']): readonly string[] => {
    const ofDirection = differences.filter((difference) => difference.direction === direction)
    const groups = groupBy(ofDirection, ({ operation }) => operation)
    return [...groups].flatMap(([operation, group]) => {
      const texts = new Set(group.map(({ text }) => text))
      return ['', `\`${operation}\``, ...list([...texts])]
    })
  }
  const sections = Object.entries({
    Changes: list(changes),
    Added: routesThatAre('new'),
    Removed: routesThatAre('removed'),
    Changed: routesThatAre('changed'),
    'Requests to change': differencesIn('request'),
    'Responses that differ': differencesIn('response'),
  })
  const lines = sections.flatMap(([title, content]) =>
    content.length === 0 ? [] : ['', `### ${title}`, ...content],
  )
  return [
    `## From version ${from} to ${to}`,
    '',
    `Send \`Accept: ${settings.vendorType}+json;version=${to}\`.`,
    ...(lines.length === 0 ? ['', 'No changes.'] : lines),
  ]
}

const list = (items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : ['', ...items.map((item) => `- ${item}`)]
