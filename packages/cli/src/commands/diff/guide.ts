import { groupBy } from '../../group-by.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import type { ComparedRoute, Comparison } from './compare.ts'
import type { Contract, Difference, Move } from './contract.ts'

/** What a client does to move to another version, as Markdown. */
export function guide(
  { settings }: RouteFile,
  { from, to }: Move,
  { added, removed, changed }: Comparison,
  contract: Contract | null,
): readonly string[] {
  const { changes = [], differences = [] } = contract ?? {}
  const moved = changed.filter(({ was }) => was !== undefined)
  const [request, response] = (['request', 'response'] as const).map((direction) =>
    operationLines(differences.filter((difference) => difference.direction === direction)),
  )
  const sections = [
    section('Changes', list(changes)),
    section('Added', list(added.map(inMarkdown))),
    section('Removed', list(removed.map(inMarkdown))),
    section('Changed', list(moved.map(inMarkdown))),
    section('Requests to change', request!),
    section('Responses that differ', response!),
  ].flat()
  return [
    `## From version ${from} to ${to}`,
    '',
    `Send \`Accept: ${settings.vendorType}+json;version=${to}\`.`,
    ...(sections.length === 0 ? ['', 'No changes.'] : sections),
  ]
}

const inMarkdown = ({ method, pattern, target, was }: ComparedRoute): string =>
  `\`${method} ${pattern}\` (${target}${was === undefined ? '' : `, was ${was}`})`

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `### ${title}`, ...lines]

const list = (items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : ['', ...items.map((item) => `- ${item}`)]

const operationLines = (differences: readonly Difference[]): readonly string[] =>
  [...groupBy(differences, ({ operation }) => operation)].flatMap(([operation, group]) => [
    '',
    `\`${operation}\``,
    ...list([...new Set(group.map(({ text }) => text))]),
  ])
