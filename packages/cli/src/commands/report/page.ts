import { count } from '../../output.ts'
import { dateOf, formatLife, stateOf } from '../../route-file/lives.ts'
import type { RouteFile, VersionLife } from '../../route-file/route-file.ts'
import type { Lock } from '../check/lock.ts'
import { type Group, textOf } from '../check/print-findings.ts'
import { type Html, html } from './html.ts'
import { type Matrix, type RouteCell, type Status, statusOf } from './matrix.ts'
import { mark, style } from './style.ts'
import { type Part, brownoutsOf, createTimeline, kinds } from './timeline.ts'
import type { Caller } from './usage.ts'

/** What a report shows. */
export interface Report {
  /** Its path is the one to show. */
  readonly routeFile: RouteFile
  readonly now: number
  readonly matrix: Matrix
  readonly lock: Lock | null
  readonly findings: readonly Group[]
  /** Who called a version; null without a usage file. */
  readonly callersOf: ((version: number) => readonly Caller[]) | null
}

/**
 * Makes the report: one HTML file without scripts. Its policy doesn't allow any either, whatever
 * the names in a route file are.
 */
export function reportPage(report: Report): string {
  const { routeFile, now } = report
  const title = `Versions of ${routeFile.settings.vendorType}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
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

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

const timeOf = (time: number): string => dateOf(time).replace(/:\d\dZ$/, 'Z')

const chip = (text: string): Html => html`<span class="chip ${text}">${text}</span>`

const items = (texts: readonly (string | Html | readonly (string | Html)[])[]): Html =>
  html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`

const help = (text: string, command: string): Html =>
  html`<p class="help">${text} <code>npx @hv/router-cli ${command}</code></p>`

/** A table that scrolls inside its own frame, also with the keyboard. */
const table = (label: string, heads: readonly string[], rows: readonly Html[]): Html => html`
<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table>
</div>`

function timeline({ routeFile, now, lock }: Report): Html {
  const { today, ticks, partsOf } = createTimeline(routeFile.lives, now)
  const left = (percent: number): string => `left:${percent.toFixed(2)}%`
  const bar = ({ kind, left: start, width }: Part): Html =>
    html`<i class="${kind}" style="${left(start)};width:${width.toFixed(2)}%"></i>`
  const row = (version: VersionLife): Html => html`<li>
<div><h3>Version ${version.number}</h3> ${chip(stateOf(version, now))}</div>
<div class="track" aria-hidden="true">
${partsOf(version).map(bar)}<i class="today" style="${left(today)}"></i>
</div>
${items(factsOf(version, routeFile, now, lock))}
</li>`
  return html`<section id="versions"><h2>Versions</h2>
<ol class="timeline">${routeFile.lives.map(row)}</ol>
<div class="axis" aria-hidden="true">
${ticks.map((tick) => html`<span style="${left(tick.left)}">${tick.label}</span>`)}
<b style="${left(today)}">today</b>
</div>
<p class="legend">${kinds.map((kind) => html`<span><i class="${kind}"></i> ${kind}</span>`)}</p>
</section>`
}

/** What's to say about a version below its bar. */
function factsOf(
  version: VersionLife,
  routeFile: RouteFile,
  now: number,
  lock: Lock | null,
): readonly (string | Html)[] {
  const { number, life, isPreview } = version
  const words = formatLife(version, now)
  const facts: (string | Html)[] = words
    .split(', ')
    .filter((word) => word !== stateOf(version, now))
  for (const { from, until } of brownoutsOf(life))
    facts.push(`brownout ${timeOf(from)} to ${timeOf(until)}`)
  if (number === routeFile.defaultVersion) facts.push('default version')
  if (lock !== null && !isPreview)
    facts.push(lock.versions[number] === undefined ? 'not released' : 'released')
  const docs = life?.docs ?? null
  if (docs !== null) facts.push(/^https?:/.test(docs) ? html`<a href="${docs}">${docs}</a>` : docs)
  for (const row of routeFile.rows) {
    const routeWords = formatLife({ life: row.life, isPreview }, now)
    if (row.version === number && routeWords !== words)
      facts.push(`${row.method} ${row.pattern}: ${routeWords}`)
  }
  return facts
}

const signs = { new: '+', inherited: '=', changed: '~', removed: '−' } as const

const statusText = (status: Status): Html =>
  html`<b class="${status}"><i aria-hidden="true">${signs[status]}</i> ${status}</b>`

const details = (summary: string | Html, content: Html): Html =>
  html`<details><summary>${summary}</summary>${content}</details>`

function resources({ matrix: { steps, resources: keys } }: Report): Html {
  const cell = (routes: readonly RouteCell[] | undefined): Html => {
    if (routes === undefined) return html`<td></td>`
    const touched = routes.filter(({ status }) => status !== 'inherited').length
    const some = touched > 0 && touched < routes.length && `${touched} of `
    const total = count(routes.length, 'route')
    const label = html`${statusText(statusOf(routes))} <small>${some}${total}</small>`
    return html`<td>${touched === 0 ? label : details(label, routeList(routes))}</td>`
  }
  const heads = ['Resource', ...steps.map(({ to }) => `Version ${to}`)]
  const rows = keys.map(
    (key) =>
      html`<tr><th scope="row">${key}</th>${steps.map(({ cells }) => cell(cells.get(key)))}</tr>`,
  )
  const changes = steps.map(({ from, to, contract }) => {
    const descriptions = contract?.changes ?? []
    return descriptions.length > 0 && details(`From version ${from} to ${to}`, items(descriptions))
  })
  const hasDocuments = steps.some(({ contract }) => contract !== null)
  return html`<section id="resources"><h2>Resources</h2>
<p>Each version, compared with the one before. Click a cell to see its routes, and what differs in
requests and responses.</p>
${table('Resources by version', heads, rows)}
${changes}
${
  !hasDocuments &&
  help(
    'To see what differs in requests and responses, pass your OpenAPI documents:',
    'report --documents <module>',
  )
}
</section>`
}

function routeList(routes: readonly RouteCell[]): Html {
  // In `status 200: \`name\` is gone`, every other part is code.
  const withCode = (text: string) =>
    text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
  const item = ({ status, route, note, differences }: RouteCell) => html`<li>
${statusText(status)} <code>${route}</code> <small>${note}</small>
${items([...new Set(differences.map(({ text }) => text))].map(withCode))}
</li>`
  return html`<ul class="routes">${routes.map(item)}</ul>`
}

function findings({ findings: groups, lock }: Report): Html {
  const item = (group: Group): Html => {
    const [{ code, level, remedy }] = group
    return html`<li>${chip(level)} <code>${code}</code> ${textOf(group)}
<small>${remedy}</small></li>`
  }
  const list =
    groups.length === 0
      ? html`<p>No findings.</p>`
      : html`<ul class="findings">${groups.map(item)}</ul>`
  return html`<section id="findings"><h2>Findings</h2>
${list}
${
  lock === null &&
  help(
    'To find changes to released versions, write a lock file and commit it:',
    'check --update-lock',
  )
}
</section>`
}

function clients({ routeFile, now, callersOf }: Report): Html {
  if (callersOf === null) {
    const text = 'To see who still calls which version, record it with onRouted and pass the file:'
    return html`<section id="clients"><h2>Clients</h2>
${help(text, 'report --usage usage.json')}</section>`
  }
  const rowsOf = (version: VersionLife): readonly Html[] => {
    const head = html`<th scope="row">Version ${version.number} ${chip(stateOf(version, now))}</th>`
    const callers = callersOf(version.number)
    if (callers.length === 0)
      return [html`<tr>${head}<td colspan="3">no calls in the usage file</td></tr>`]
    return callers.map(
      ({ client, calls, last }) =>
        html`<tr>${head}<td>${client}</td><td>${calls}</td><td>${last}</td></tr>`,
    )
  }
  const heads = ['Version', 'Client', 'Calls', 'Last call']
  return html`<section id="clients"><h2>Clients</h2>
${table('Clients by version', heads, routeFile.lives.flatMap(rowsOf))}</section>`
}
