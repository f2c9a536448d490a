// The page of the benchmarks, from the results that `npm run bench -- save` writes to benchmarks.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Cell = number | string
interface Results {
  readonly command: string
  readonly about: string
  readonly node: string
  readonly machine: string
  readonly date: string
  readonly tables: readonly {
    readonly title: string
    readonly rows: Readonly<Record<string, Record<string, Cell>>>
  }[]
}

/** What each benchmark measures, by its script. */
const parts: Readonly<Record<string, readonly [title: string, text: string]>> = {
  routers: [
    'Matching',
    `This measures how long it takes to find a request's route and parameters from its method, path and \`Accept\` header. The other
routers don't read that header, so we combined each of them with a header parser, whose name comes after the \`+\`. The lower bound is a
matcher that we wrote for this workload alone, to see how fast matching could be.

Each resource has seven routes, and \`40 × 3\` means 40 resources in 3 versions. A quarter of the requests ask for a path or a method
that doesn't exist.`,
  ],
  express: [
    'Express',
    `This measures the CPU time of a whole request, including Node's HTTP server. Hand-written versioning is middleware that reads the
version, sets the same headers as the adapter, and calls that version's Express router. The ratio compares each row with
hand-written versioning.`,
  ],
  fastify: [
    'Fastify',
    `This is the same measurement on Fastify, where hand-written versioning consists of a constraint strategy that selects the version,
and a hook that sets the same headers as the adapter.`,
  ],
  nest: [
    'Nest',
    `This measures the CPU time of a request that's injected into a Nest app, without a socket. The ratio compares each row with Nest's
\`VersioningType.MEDIA_TYPE\`, which doesn't set \`Vary\`. An older action serves version 1. A change derives it from version 2's action, or you write it by hand. The start-up time covers \`init()\` and the first response.`,
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
    part: 'routers',
    table: 'Workload: regular',
    column: '40 × 3',
    unit: 'ns',
    title: 'Matching: 40 resources, 3 versions',
  },
  {
    part: 'express',
    table: '400 resources in 3 versions: microseconds of CPU per request',
    column: 'median',
    unit: 'µs',
    title: 'CPU per request on Express: 400 resources, 3 versions',
  },
  {
    part: 'fastify',
    table: '400 resources in 3 versions: microseconds of CPU per request',
    column: 'median',
    unit: 'µs',
    title: 'CPU per request on Fastify: 400 resources, 3 versions',
  },
  {
    part: 'nest',
    table: 'Express, 10 versions: microseconds of CPU per request',
    column: 'median',
    unit: 'µs',
    title: 'CPU per request in a Nest app on Express: 10 versions',
  },
]

/** What a table shows, by its benchmark and the start of its title. */
const notes: readonly (readonly [part: string, start: string, note: string])[] = [
  [
    'routers',
    '400 resources in 30 equal',
    `\`api()\` loads the route file, and \`build\` creates the router. \`unseen header\` is how long a request takes if its \`Accept\` header is
new to the router, and \`growth\` is how much memory a hundred thousand such headers take.`,
  ],
  [
    'express',
    '400 resources in 10',
    `@hv/router-express creates an Express route when the first request for it arrives, so an app starts with none.`,
  ],
  [
    'fastify',
    '400 resources in 10',
    `Versions whose actions have identical options share a Fastify route, so the adapter needs fewer routes.`,
  ],
]

/** Tables that are only in benchmarks.json. */
const left = /uneven versions|by the length of the header|, 2 versions: microseconds/

/** The titles in benchmarks.json, as the page has them. */
const titles: readonly (readonly [saved: string, shown: string])[] = [
  ['Workload: regular', 'Nanoseconds per request'],
  [
    'equal versions (84,000 rows): start and memory',
    'identical versions (84,000 routes): start-up and memory',
  ],
  ['routes of the framework, milliseconds of CPU to start, MB of heap', 'start-up'],
  [
    '2,500 rows in 10 versions: milliseconds of CPU to start',
    '2,500 routes in 10 versions: milliseconds of CPU to start up',
  ],
]
const titleOf = (title: string): string =>
  titles.reduce(
    (text, [saved, shown]) => (text.endsWith(saved) ? text.replace(saved, shown) : text),
    title,
  )
const notesOf = (name: string, title: string): readonly string[] =>
  notes.flatMap(([part, start, note]) => (part === name && title.startsWith(start) ? [note] : []))
const aboutOf = (about: string): string =>
  about
    .replace(
      /on fresh strings, (median of \d+ rounds) in turn/,
      '($1, in which the routers take turns)',
    )
    .replace('of one fresh process each', 'in which the variants take turns, each in a new process')

export function benchmarksPage(): string {
  const all = JSON.parse(
    readFileSync(join(import.meta.dirname, 'benchmarks.json'), 'utf8'),
  ) as Record<string, Results>
  const sections = Object.entries(parts).flatMap(([name, [title, text]]) => {
    const results = all[name]
    if (results === undefined) return []
    const { command, about, node, machine, date, tables } = results
    const measured = `\`\`\`sh\n${command}\n\`\`\`\n\nNode ${node}, ${machine}, ${date}: ${aboutOf(about)}.`
    return [
      `## ${title}`,
      text,
      measured,
      ...tables
        .filter(({ title: of }) => !left.test(of))
        .flatMap((table) => [
          `### ${titleOf(table.title)}`,
          ...notesOf(name, table.title),
          ...charts
            .filter((chart) => chart.part === name && chart.table === table.title)
            .map((chart) => chartOf(chart, table.rows, name)),
          markdownOf(named(table.rows, name)),
        ]),
    ]
  })
  return `${[
    '---\nsynonyms: performance overhead how fast speed slow latency throughput\noutline: 2\n---',
    '# Benchmarks',
    '<!-- Written by `npm run bench -- save` from docs/benchmarks.json. Do not edit. -->',
    `How much does versioned routing cost, compared with other libraries and with versioning that you write yourself? In short:`,
    conclusions(all),
    `The figures depend on the machine, so compare rows within a table rather than across tables. The \`ratio\` column has the
median of the rounds' ratios. To reproduce a section's tables, run the command at its top.
[benchmarks.json](https://github.com/hv-router/router/tree/main/docs/benchmarks.json) also has the fastest rounds, and the results
for long headers and for versions with different routes.`,
    ...sections,
  ].join('\n\n')}\n`
}

/** The figures that matter, from the same results. */
function conclusions(all: Record<string, Results>): string {
  const rowsOf = (part: string, title: string) =>
    all[part]!.tables.find((table) => table.title.startsWith(title))!.rows
  const matching = rowsOf('routers', 'Workload: regular')
  const memory = rowsOf('routers', '400 resources in 30 equal')
  const express = rowsOf('express', '400 resources in 3')
  const fastify = rowsOf('fastify', '400 resources in 3')
  const small = rowsOf('express', '4 resources in 3')
  const nest = all['nest']!.tables.flatMap(({ rows }) =>
    rows['ours'] ? [Number(rows['ours']["to Nest's own, median"])] : [],
  )
  const fastest = Object.entries(matching)
    .filter(([name]) => !/^(?:@hv|bound)/.test(name))
    .toSorted(([, a], [, b]) => Number(a['R40V3']) - Number(b['R40V3']))[0]!
  const heaviest = Math.max(...Object.values(memory).map((row) => Number(row['router MB'])))
  const median = (rows: typeof express, name: string) => rounded(rows[name]!['median']!)
  return [
    `- **Finding a route takes ${matching['@hv/router']!['R40V3']} nanoseconds** in an API with 40 resources and 3 versions. The next-fastest option,
  ${fastest[0].replace('+ our cache', "combined with @hv/router's header cache")}, takes ${fastest[1]['R40V3']}.`,
    `- **On Express with 400 resources, versioned routes are faster than plain ones**: a request takes ${median(express, 'ours')} µs of
  CPU time instead of ${median(express, 'plain')}, because a single lookup replaces Express's search through its list of routes. With only 4 resources,
  a request takes ${median(small, 'ours')} µs instead of ${median(small, 'plain')}.`,
    `- **On Fastify, the adapter costs a little more than hand-written versioning**: with 400 resources, a request takes
  ${median(fastify, 'ours')} µs of CPU time with the adapter, ${median(fastify, 'by hand')} with hand-written versioning, and ${median(fastify, 'plain')} without versions.`,
    `- **In a Nest app, the adapter costs about as much as Nest's versioning**: it takes between ${Math.min(...nest).toFixed(2)} and ${Math.max(...nest).toFixed(2)} times as much CPU
  time, depending on the platform and the number of versions.`,
    `- **With thirty versions of 400 resources, the router takes ${memory['@hv/router']!['router MB']} MB of memory.** The other libraries' routers take up to ${rounded(heaviest)} MB.`,
  ].join('\n')
}

type Rows = Results['tables'][number]['rows']

/** Rows and columns under the names that a reader knows. */
function named(rows: Rows, part: string): Rows {
  const adapter = `@hv/router-${part}`
  const names: Readonly<Record<string, string>> = {
    ours: adapter,
    plain: 'without versions',
    'by hand': 'hand-written versioning',
    "Nest's own": "Nest's versioning",
    'bound: written by hand for one workload': 'lower bound',
  }
  const nameOf = (name: string) =>
    names[name] ?? name.replace('+ our cache', "+ @hv/router's cache")
  const columnOf = (name: string) =>
    name
      .replace(/^R(\d+)V(\d+)$/, '$1 × $2')
      .replace(/^routes$/, 'framework routes')
      .replace(/^milliseconds$/, 'CPU (ms)')
      .replace(/^megabytes$/, 'heap (MB)')
      .replace(/^(?:of by hand|to Nest's own), median.*/, 'ratio')
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      nameOf(name),
      Object.fromEntries(
        Object.entries(row).flatMap(([column, cell]) =>
          column.includes('least') ? [] : [[columnOf(column), cell]],
        ),
      ),
    ]),
  )
}

function chartOf(
  { column, unit, title }: (typeof charts)[number],
  rows: Rows,
  part: string,
): string {
  // The slowest peer of some tables would leave the others without a visible bar.
  const bars = Object.entries(named(rows, part))
    .map(([name, row]) => ({ name, value: rounded(row[column]!), ours: name.startsWith('@hv/') }))
    .filter(({ name, value }) => Number.isFinite(value) && !name.startsWith('Express router'))
    .toSorted((a, b) => a.value - b.value)
  const quoted = JSON.stringify(bars).replaceAll("'", '&#39;') // the value of an attribute in single quotes
  return `<BarChart title="${title}" unit="${unit}" :rows='${quoted}' />`
}

/** A figure as a person would say it: 57 instead of 57.13. Small figures keep one decimal. */
const rounded = (cell: Cell): number => Number(Number(cell).toFixed(Number(cell) < 10 ? 1 : 0))

/** Ratios keep their decimals, and what isn't measured is a dash. */
function cellOf(column: string, cell: Cell | undefined): string {
  const isText = cell === undefined || cell === '' || Number.isNaN(Number(cell))
  if (isText) return String(cell ?? '')
  if (column.startsWith('ratio')) return Number(cell).toFixed(2)
  return column.includes('api() MB') && Number(cell) === 0 ? '–' : String(rounded(cell))
}

function markdownOf(rows: Results['tables'][number]['rows']): string {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))]
  const lines = Object.entries(rows).map(([name, row]) => [
    name,
    ...columns.map((column) => cellOf(column, row[column])),
  ])
  const widths = ['', ...columns].map((head, i) =>
    Math.max(3, head.length, ...lines.map((line) => line[i]!.length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(['', ...columns]), rule, ...lines.map(line)].join('\n')
}
