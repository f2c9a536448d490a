import { fillPattern } from '@hv/router/internal'
import type { RouteFile } from '../../route-file/route-file.ts'
import type { ComparedRoute } from './compare.ts'
import type { Contract, Move } from './contract.ts'

/** What a client does to move to another version, as Markdown. */
export function guide(
  { settings }: RouteFile,
  { from, to }: Move,
  routes: readonly ComparedRoute[],
  contract: Contract | null,
): readonly string[] {
  const routesThatAre = (status: ComparedRoute['status']) => {
    const listed = routes.filter(
      (route) => route.status === status && (status !== 'changed' || route.was !== undefined),
    )
    // Written as in an OpenAPI document, because the rest of the guide comes from one.
    return listed.map(
      ({ method, pattern }) => `\`${method} ${fillPattern(pattern, (param) => `{${param}}`)}\``,
    )
  }
  const sections = Object.entries({
    Changes: contract?.changes ?? [],
    // The documents' guide lists new and removed operations.
    Added: contract === null ? routesThatAre('new') : [],
    Removed: contract === null ? routesThatAre('removed') : [],
    Changed: routesThatAre('changed'),
  })
  const lines = sections.flatMap(([title, items]) =>
    items.length === 0 ? [] : ['', `### ${title}`, '', ...items.map((item) => `- ${item}`)],
  )
  const payloads = contract?.guide() ?? ''
  if (payloads !== '') lines.push('', ...payloads.trimEnd().split('\n'))
  return [
    `## From version ${from} to ${to}`,
    '',
    `Send \`Accept: ${settings.vendorType}+json;version=${to}\`.`,
    ...(lines.length === 0 ? ['', 'No changes.'] : lines),
  ]
}
