// The page of the benchmarks, from the results that `npm run bench:save` writes to benchmarks.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Cell = number | string
interface Results {
  readonly command: string
  readonly about: string
  readonly node: string
  readonly machine: string
  readonly date: string
  readonly tables: readonly { readonly title: string; readonly rows: Readonly<Record<string, Record<string, Cell>>> }[]
}

/** What each benchmark measures, by its script. */
const parts: Readonly<Record<string, readonly [title: string, text: string]>> = {
  bench: [
    'Matching',
    `The time from method, path and \`Accept\` header to the route and its parameters. Every other router gets the help that an
app would write for it: one router per version, and a function that reads the version from the header. \`our cache\` is the
Accept cache of @hv/router, \`regex\` a regular expression, \`negotiator\` the library. A router whose answers differ from
those of @hv/router is not timed. \`bound\` is written by hand for the workload \`regular\` and serves nothing else.

Columns: \`R40V3\` is 40 resources in 3 versions. Paths and headers are fresh strings, as the HTTP parser creates them.`,
  ],
  'bench:express': [
    'Express adapter',
    `The CPU time of a whole request through Node's HTTP server. \`plain\` is Express without versions, \`by hand\` the same app
with versions and headers that are written by hand, \`ours\` the adapter.`,
  ],
  'bench:fastify': [
    'Fastify adapter',
    `The CPU time of a whole request through Node's HTTP server. \`plain\` is Fastify without versions, \`by hand\` a constraint
strategy that is written by hand and sends the same headers, \`ours\` the adapter.`,
  ],
}

export function benchmarksPage(): string {
  const all = JSON.parse(readFileSync(join(import.meta.dirname, 'benchmarks.json'), 'utf8')) as Record<string, Results>
  const sections = Object.entries(parts).flatMap(([name, [title, text]]) => {
    const results = all[name]
    if (results === undefined) return []
    const { command, about, node, machine, date, tables } = results
    const measured = `\`\`\`sh\n${command}\n\`\`\`\n\nNode ${node}, ${machine}, ${date}: ${about}.`
    return [`## ${title}`, text, measured, ...tables.flatMap((table) => [`### ${table.title}`, markdownOf(table.rows)])]
  })
  return `${[
    '# Benchmarks',
    '<!-- Written by `npm run bench:save` from docs/benchmarks.json. Do not edit. -->',
    `What routing by version costs, next to other libraries. Figures depend on the machine, so compare the rows of one table.
The command above the tables repeats the measurement.`,
    ...sections,
  ].join('\n\n')}\n`
}

function markdownOf(rows: Results['tables'][number]['rows']): string {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))]
  const lines = Object.entries(rows).map(([name, row]) => [name, ...columns.map((column) => String(row[column] ?? ''))])
  const widths = ['', ...columns].map((head, i) => Math.max(3, head.length, ...lines.map((line) => line[i]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(['', ...columns]), rule, ...lines.map(line)].join('\n')
}
