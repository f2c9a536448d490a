import { count } from '../../output.ts'
import { dateOf, formatLife, stateOf } from '../../route-file/lives.ts'
import type { RouteFile, VersionLife } from '../../route-file/route-file.ts'
import type { Lock } from '../check/lock.ts'
import { type Group, textOf } from '../check/report.ts'
import { type Example, responseLines } from '../diff/examples.ts'
import type { Caller } from './usage.ts'
import { type Html, html } from './html.ts'
import { type Matrix, type RouteCell, type Status, statusOf } from './matrix.ts'
import { mark, style } from './style.ts'
import { type Part, brownoutsOf, createTimeline, kinds } from './timeline.ts'

/** What a report shows. */
export interface Report {
  /** With the path as it's shown. */
  readonly routeFile: RouteFile
  readonly now: number
  readonly matrix: Matrix
  readonly lock: Lock | null
  readonly findings: readonly Group[]
  /** Who called a version; null without a usage file. */
  readonly callersOf: ((version: number) => readonly Caller[]) | null
}

/** The report as one HTML file. It has no script and its policy allows none, whatever the names in a route file are. */
export function reportPage(report: Report): string {
  const { routeFile, now } = report
  const title = `Versions of ${routeFile.settings.vendorType}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(mark.text)}">
<style>${style}</style>
</head>
<body>
<header>${mark}<div><h1>${title}</h1>
<p>As of ${timeOf(now)} · <code>${routeFile.path}</code></p></div></header>
<main>
${[timeline, resources, findings, clients].map((section) => section(report))}
</main>
<footer>Written by <code>npx @hv/router-cli report</code></footer>
</body>
</html>
`.text
}

const timeOf = (time: number): string => dateOf(time).replace(/:\d\dZ$/, 'Z')
const chip = (text: string): Html => html`<span class="chip ${text}">${text}</span>`
const items = (texts: readonly (string | Html | readonly (string | Html)[])[]): Html =>
  html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`
const help = (text: string, command: string): Html =>
  html`<p class="help">${text} <code>npx @hv/router-cli ${command}</code></p>`
/** A table that scrolls in its own frame. */
const table = (label: string, heads: readonly (string | Html)[], rows: readonly Html[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`

function timeline({ routeFile, now, lock }: Report): Html {
  const { today, ticks, partsOf } = createTimeline(routeFile.lives, now)
  const left = (percent: number): string => `left:${percent.toFixed(2)}%`
  const factsOf = (version: VersionLife): readonly (string | Html)[] => {
    const { number, life, isPreview } = version
    const [words, docs] = [formatLife(version, now), life?.docs ?? null]
    const routes = routeFile.rows.filter(
      (row) => row.version === number && formatLife({ life: row.life, isPreview }, now) !== words,
    )
    const isReleased = lock?.versions[number] === undefined ? 'not released' : 'released'
    return [
      ...words.split(', ').filter((word) => word !== stateOf(version, now)),
      ...brownoutsOf(life).map(({ from, until }) => `brownout ${timeOf(from)} to ${timeOf(until)}`),
      ...(number === routeFile.defaultVersion ? ['default version'] : []),
      ...(lock !== null && !isPreview ? [isReleased] : []),
      ...(docs === null
        ? []
        : [/^https?:/.test(docs) ? html`<a href="${docs}">${docs}</a>` : docs]),
      ...routes.map(
        ({ method, pattern, life: own }) =>
          `${method} ${pattern}: ${formatLife({ life: own, isPreview }, now)}`,
      ),
    ]
  }
  const bar = ({ kind, left: start, width }: Part): Html =>
    html`<i class="${kind}" style="${left(start)};width:${width.toFixed(2)}%"></i>`
  const row = (version: VersionLife): Html => html`<li>
<div><h3>Version ${version.number}</h3> ${chip(stateOf(version, now))}</div>
<div class="track" aria-hidden="true">${partsOf(version).map(bar)}<i class="today" style="${left(today)}"></i></div>
${items(factsOf(version))}</li>`
  return html`<section id="versions"><h2>Versions</h2>
<ol class="timeline">${routeFile.lives.map(row)}</ol>
<div class="axis" aria-hidden="true">${ticks.map((tick) => html`<span style="${left(tick.left)}">${tick.label}</span>`)}
<b style="${left(today)}">today</b></div>
<p class="legend">${kinds.map((kind) => html`<span><i class="${kind}"></i> ${kind}</span>`)}</p></section>`
}

const signs = { new: '+', inherited: '=', changed: '~', removed: '−' } as const
const statusText = (status: Status): Html =>
  html`<b class="${status}"><i aria-hidden="true">${signs[status]}</i> ${status}</b>`

const details = (summary: string | Html, content: Html): Html =>
  html`<details><summary>${summary}</summary>${content}</details>`

function resources({ matrix: { steps, resources: keys } }: Report): Html {
  const cell = (routes: readonly RouteCell[] | undefined): Html => {
    if (routes === undefined) return html`<td></td>`
    const touched = routes.filter(({ status }) => status !== 'inherited')
    const some = touched.length > 0 && touched.length < routes.length && `${touched.length} of `
    const label = html`${statusText(statusOf(routes))} <small>${some}${count(routes.length, 'route')}</small>`
    return html`<td>${touched.length === 0 ? label : details(label, routeList(routes))}</td>`
  }
  const heads = ['Resource', ...steps.map(({ version }) => `Version ${version}`)]
  const rows = keys.map(
    (key) =>
      html`<tr><th scope="row">${key}</th>${steps.map(({ cells }) => cell(cells.get(key)))}</tr>`,
  )
  const changes = steps.map(({ before, version, contract }) => {
    const { changes: about, examples } = contract ?? { changes: [], examples: [] }
    const content = html`${items(about)}${examples.map((one) => responses(one, before, version))}`
    return (
      about.length + examples.length > 0 && details(`From version ${before} to ${version}`, content)
    )
  })
  return html`<section id="resources"><h2>Resources</h2>
<p>Each version, compared with the one before. Click a cell to see its routes, and what differs in requests and responses.</p>
${table('Resources by version', heads, rows)}
${changes}
${steps.every(({ contract }) => contract === null) && help('To see what differs in requests and responses, pass your OpenAPI documents:', 'report --documents <module>')}
</section>`
}

function routeList(routes: readonly RouteCell[]): Html {
  // Every other part of `status 200: \`name\` is gone` is code.
  const inCode = (text: string) =>
    text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))
  const item = ({ status, route, note, differences }: RouteCell) => html`<li>
${statusText(status)} <code>${route}</code> <small>${note}</small>
${items([...new Set(differences.map(({ text }) => text))].map(inCode))}</li>`
  return html`<ul class="routes">${routes.map(item)}</ul>`
}

/** A recorded response of both versions, side by side. */
function responses({ name, before, after }: Example, from: number, to: number): Html {
  const [older, newer] = [responseLines(before, after), responseLines(after, before)]
  const column = (version: number, lines: readonly string[], others: readonly string[]): Html => {
    const withoutComma = (line: string): string => line.replace(/,$/, '')
    const known = new Set(others.map(withoutComma))
    const marked = lines.map(
      (line) => html`${known.has(withoutComma(line)) ? line : html`<mark>${line}</mark>`}\n`,
    )
    return html`<div><b>Version ${version}</b><pre tabindex="0">${marked}</pre></div>`
  }
  return html`<h3>${name}</h3>
<div class="responses">${column(from, older, newer)}${column(to, newer, older)}</div>`
}

function findings({ findings: groups, lock }: Report): Html {
  const item = (group: Group): Html => {
    const [{ code, level, accepted, remedy, fingerprint }] = group
    const more =
      accepted === undefined ? remedy : `Accepted on ${accepted.date}: ${accepted.reason}`
    return html`<li>${chip(accepted === undefined ? level : 'accepted')} <code>${code}</code> ${textOf(group)}
<small>${more} ${fingerprint !== undefined && `[${fingerprint}]`}</small></li>`
  }
  return html`<section id="findings"><h2>Findings</h2>
${groups.length === 0 ? html`<p>No findings.</p>` : html`<ul class="findings">${groups.map(item)}</ul>`}
${lock === null && help('To find changes to released versions, write a lock file and commit it:', 'check --update-lock')}</section>`
}

function clients({ routeFile, now, callersOf }: Report): Html {
  const rowsOf = (version: VersionLife): readonly Html[] => {
    const head = html`<th scope="row">Version ${version.number} ${chip(stateOf(version, now))}</th>`
    const callers = callersOf!(version.number)
    if (callers.length === 0)
      return [html`<tr>${head}<td colspan="3">no calls in the usage file</td></tr>`]
    return callers.map(
      ({ client, calls, last }) =>
        html`<tr>${head}<td>${client}</td><td>${calls}</td><td>${last}</td></tr>`,
    )
  }
  const content =
    callersOf === null
      ? help(
          'To see who still calls which version, record it with onRouted and pass the file:',
          'report --usage usage.json',
        )
      : table(
          'Clients by version',
          ['Version', 'Client', 'Calls', 'Last call'],
          routeFile.lives.flatMap(rowsOf),
        )
  return html`<section id="clients"><h2>Clients</h2>
${content}</section>`
}
