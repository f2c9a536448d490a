import { groupBy } from '../../group-by.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import { type ComparedRoute, type Comparison, noteOf } from './compare.ts'
import type { Contract, Difference } from './contract.ts'
import { type Example, responseLines } from './examples.ts'

/** What the printed text and the guide call the routes that differ. */
export const sections = [
  { routes: 'added', word: 'new', color: 'green', title: 'Added' },
  { routes: 'removed', word: 'removed', color: 'red', title: 'Removed' },
  { routes: 'changed', word: 'changed', color: 'yellow', title: 'Changed' },
] as const

/** What a client does to move to a later version, as Markdown. */
export function guide(
  { settings }: RouteFile,
  from: number,
  to: number,
  compared: Comparison,
  contract: Contract | null,
): readonly string[] {
  const { changes = [], differences = [], examples = [] } = contract ?? {}
  const of = (direction: Difference['direction']) =>
    operationLines(differences.filter((difference) => difference.direction === direction))
  const routeLine = (route: ComparedRoute): string =>
    `- \`${route.method} ${route.pattern}\` (${noteOf(route)})`
  const lines = [
    ...section('Changes', list(changes.map((about) => `- ${about}`))),
    ...sections.flatMap(({ routes, title }) =>
      section(title, list(compared[routes].map(routeLine))),
    ),
    ...section('Requests to change', of('request')),
    ...section('Responses that differ', of('response')),
    ...section(
      'Examples',
      examples.flatMap((example) => exampleLines(example, from, to)),
    ),
  ]
  return [
    `## From version ${from} to ${to}`,
    '',
    `Send \`Accept: ${settings.vendorType}+json;version=${to}\`.`,
    ...(lines.length === 0 ? ['', 'No changes.'] : lines),
  ]
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `### ${title}`, ...lines]

const list = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', ...lines]

const operationLines = (differences: readonly Difference[]): readonly string[] =>
  [...groupBy(differences, ({ operation }) => operation)].flatMap(([operation, group]) => {
    const lines = new Set(group.map(({ text }) => `- ${text}`))
    return ['', `\`${operation}\``, '', ...lines]
  })

const maxLines = 40

/** Both responses. */
function exampleLines(
  { name, before, after }: Example,
  from: number,
  to: number,
): readonly string[] {
  const block = (version: number, lines: readonly string[]): readonly string[] => {
    const rest = lines.length > maxLines ? ['…'] : []
    return [
      '',
      `\`${name}\`, version ${version}:`,
      '',
      '```http',
      ...lines.slice(0, maxLines),
      ...rest,
      '```',
    ]
  }
  return [...block(from, responseLines(before, after)), ...block(to, responseLines(after, before))]
}
