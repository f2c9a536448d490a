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
    `This measures how long it takes to get from method, path and \`Accept\` header to a route and its parameters. The other routers don't know
versions, so they get the glue code that an app would need: one router per version, and a function that reads the version from
the header. \`our cache\` means that this function uses @hv/router's cache of headers, \`regex\` a regular expression, and
\`negotiator\` the library of that name. Routers that return different results are excluded. \`bound\` is a hand-written
router for this one workload: a lower bound, not a library.

\`R40V3\` means 40 resources in 3 versions. Paths and headers are fresh strings, as an HTTP parser creates them.`,
  ],
  'bench:express': [
    'Express',
    `This measures the CPU time of a whole request through Node's HTTP server. \`plain\` is Express without versions, and \`hand-written\` is the
same app with hand-written versions and headers.`,
  ],
  'bench:fastify': [
    'Fastify',
    `This measures the CPU time of a whole request through Node's HTTP server. \`plain\` is Fastify without versions, and \`hand-written\` is a
constraint strategy that sends the same headers.`,
  ],
  'bench:nest': [
    'Nest',
    `This measures the CPU time of an injected request to a Nest app. \`plain\` is a controller without versions, and \`Nest's own\` has the
same routes with \`VersioningType.MEDIA_TYPE\`, which sends no \`Vary\`. The start-up time covers \`init()\` and the first response.`,
  ],
}

/** The charts, by the table that they show: the column, its unit, and what to read from it. */
const charts: readonly {
  readonly part: string
  readonly table: string
  readonly column: string
  readonly unit: string
  readonly title: string
}[] = [
  {
    part: 'bench',
    table: 'Workload: regular',
    column: 'R40V3',
    unit: 'ns',
    title: 'Matching: 40 resources, 3 versions',
  },
  {
    part: 'bench',
    table: '400 resources in 30 equal versions (84,000 rows): start and memory',
    column: 'router MB',
    unit: 'MB',
    title: 'Memory of the router: 400 resources, 30 versions',
  },
  {
    part: 'bench:express',
    table: '400 resources in 3 versions: microseconds of CPU per request',
    column: 'median',
    unit: 'µs',
    title: 'CPU per request on Express: 400 resources, 3 versions',
  },
  {
    part: 'bench:fastify',
    table: '400 resources in 3 versions: microseconds of CPU per request',
    column: 'median',
    unit: 'µs',
    title: 'CPU per request on Fastify: 400 resources, 3 versions',
  },
  {
    part: 'bench:nest',
    table: 'Express, 10 versions: microseconds of CPU per request',
    column: 'median',
    unit: 'µs',
    title: 'CPU per request in a Nest app on Express: 10 versions',
  },
]

/** What the columns of start and memory mean. */
const legend = `In the tables about start and memory, \`api()\` is the time and memory that it takes to load the route file; \`build\` and \`router\`
are the time and memory of the router that's made from it. \`unseen header\` is the time of a request whose header hasn't been seen before,
and \`growth\` is the memory that a hundred thousand such headers leave behind.
Equal versions have the same routes. Uneven ones are what an API looks like after years: nested and extra routes that come and go.
\`bound\` can't serve those, so its row is empty.`

export function benchmarksPage(): string {
  const all = JSON.parse(readFileSync(join(import.meta.dirname, 'benchmarks.json'), 'utf8')) as Record<string, Results>
  const sections = Object.entries(parts).flatMap(([name, [title, text]]) => {
    const results = all[name]
    if (results === undefined) return []
    const { command, about, node, machine, date, tables } = results
    const measured = `\`\`\`sh\n${command}\n\`\`\`\n\nNode ${node}, ${machine}, ${date}: ${about.replace('in turn', 'that alternate')}.`
    const notes = tables.some((table) => 'growth MB' in (Object.values(table.rows)[0] ?? {})) ? [legend] : []
    return [
      `## ${title}`,
      text,
      measured,
      ...notes,
      ...tables.flatMap((table) => [
        `### ${table.title.replace('routes of the framework, milliseconds of CPU to start, MB of heap', 'framework routes, CPU to start, heap')}`,
        ...charts
          .filter((chart) => chart.part === name && chart.table === table.title)
          .map((chart) => chartOf(chart, table.rows, name)),
        markdownOf(named(table.rows, name)),
      ]),
    ]
  })
  return `${[
    '# Benchmarks',
    '<!-- Written by `npm run bench:save` from docs/benchmarks.json. Do not edit. -->',
    `How much does versioned routing cost, compared with other libraries and with hand-written versions? In short:`,
    conclusions(all),
    `The figures depend on the machine, so compare rows within a table, not across tables. Run the command above each table to
reproduce it.`,
    ...sections,
  ].join('\n\n')}\n`
}

/** The figures that matter, from the same results. */
function conclusions(all: Record<string, Results>): string {
  const rowsOf = (part: string, title: string) => all[part]!.tables.find((table) => table.title.startsWith(title))!.rows
  const matching = rowsOf('bench', 'Workload: regular')
  const memory = rowsOf('bench', '400 resources in 30 equal')
  const express = rowsOf('bench:express', '400 resources in 3')
  const fastify = rowsOf('bench:fastify', '400 resources in 3')
  const nest = rowsOf('bench:nest', 'Express, 10 versions')
  const fastest = Object.entries(matching)
    .filter(([name]) => !/^(?:@hv|bound)/.test(name))
    .toSorted(([, a], [, b]) => Number(a['R40V3']) - Number(b['R40V3']))[0]!
  const heaviest = Math.max(...Object.values(memory).map((row) => Number(row['router MB'])))
  const median = (rows: typeof express, name: string) => Number(rows[name]!['median'])
  return [
    `- **A match takes ${matching['@hv/router']!['R40V3']} nanoseconds.** The fastest other library, ${fastest[0]}, takes ${fastest[1]['R40V3']}.`,
    `- **On Express with 400 resources, versioned routes are faster than plain ones**: ${median(express, 'ours')} instead of ${median(express, 'plain')} microseconds, because one lookup replaces a list of layers.`,
    `- **On Fastify, versions cost about what hand-written ones cost**: ${median(fastify, 'ours')} microseconds, compared with ${median(fastify, 'by hand')}; plain Fastify takes ${median(fastify, 'plain')}.`,
    `- **In a Nest app, versions cost about what Nest's own cost**: ${median(nest, 'ours')} microseconds, compared with ${median(nest, "Nest's own")}, for ten versions on Express.`,
    `- **The router for thirty versions of 400 resources takes ${memory['@hv/router']!['router MB']} MB.** Other routers take up to ${heaviest}.`,
  ].join('\n')
}

type Rows = Results['tables'][number]['rows']

/** Rows and columns under the names that a reader knows. */
function named(rows: Rows, part: string): Rows {
  const adapter = `@hv/router-${part.replace('bench:', '')}`
  const nameOf = (name: string) =>
    name === 'ours' ? adapter : name === 'by hand' ? 'hand-written' : name.replace('written by hand', 'hand-written')
  const columnOf = (name: string) =>
    name
      .replace('of by hand, median of rounds', 'median ratio to hand-written')
      .replace('of by hand, least', 'least ratio to hand-written')
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      nameOf(name),
      Object.fromEntries(Object.entries(row).map(([column, cell]) => [columnOf(column), cell])),
    ]),
  )
}

function chartOf({ column, unit, title }: (typeof charts)[number], rows: Rows, part: string): string {
  // The slowest peer of some tables would leave the others without a visible bar.
  const bars = Object.entries(named(rows, part))
    .map(([name, row]) => ({ name, value: Number(row[column]), ours: name.startsWith('@hv/') }))
    .filter(({ name, value }) => Number.isFinite(value) && !name.startsWith('Express router'))
    .toSorted((a, b) => a.value - b.value)
  const quoted = JSON.stringify(bars).replaceAll("'", '&#39;') // the value of an attribute in single quotes
  return `<BarChart title="${title}" unit="${unit}" :rows='${quoted}' />`
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
