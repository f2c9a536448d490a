import { count, npx } from '../../output.ts'
import { type VersionLife, dateOf, formatLife } from '../../route-file/lives.ts'
import type { RouteFile } from '../../route-file/route-file.ts'
import type { FindingGroup } from '../check/finding.ts'
import type { Lock } from '../check/lock.ts'
import { type Html, type Value, html } from './html.ts'
import { type Matrix, type RouteCell, type Status, statusOf } from './matrix.ts'
import { mark, style } from './style.ts'
import { brownoutsOf, createTimeline, kinds } from './timeline.ts'
import type { Caller } from './usage.ts'

/** What a report shows. */
export interface Report {
  readonly routeFile: RouteFile
  readonly matrix: Matrix
  readonly lock: Lock | null
  readonly findings: readonly FindingGroup[]
  /** Who called a version; null without a usage file. */
  readonly callersOf: ((version: number) => readonly Caller[]) | null
}

/**
 * Makes the report: one HTML file without scripts. Its content security policy doesn't allow any
 * either, so a name in a route file can't inject one.
 */
export function reportPage(report: Report): string {
  const { routeFile } = report
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
<p>As of ${timeOf(routeFile.now)} · <code>${routeFile.name}</code></p></div></header>
<main>
${[versionsOf(report), resourcesOf(report), findingsOf(report), clientsOf(report)]}
</main>
<footer>Written by <code>${npx} report</code></footer>
</body>
</html>
`.text
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

const timeOf = (time: number): string => dateOf(time).replace(/:\d\dZ$/, 'Z')

const chip = (text: string): Html => html`<span class="chip ${text}">${text}</span>`

const items = (contents: readonly Value[]): Html =>
  html`<ul>${contents.map((content) => html`<li>${content}</li>`)}</ul>`

const details = (summary: Value, content: Html): Html =>
  html`<details><summary>${summary}</summary>${content}</details>`

/** Text with code in backquotes: ``status 200: `name` is gone``. */
const withCode = (text: string): Value =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

/** A section of the page, and what to do if something is missing in it. */
function section(title: string, content: Value, help = ''): Html {
  return html`<section id="${title.toLowerCase()}"><h2>${title}</h2>
${content}
${help !== '' && html`<p class="help">${withCode(help)}</p>`}
</section>`
}

/** A table that scrolls inside its own frame, also with the keyboard. */
const table = (label: string, heads: readonly string[], rows: readonly Html[]): Html => html`
<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table>
</div>`

function versionsOf(report: Report): Html {
  const { lives, now } = report.routeFile
  const { today, ticks, partsOf } = createTimeline(lives, now)
  const left = (percent: number) => `left:${percent.toFixed(2)}%`
  const rows = lives.map((version) => {
    const bars = partsOf(version).map(
      (part) =>
        html`<i class="${part.kind}" style="${left(part.left)};width:${part.width.toFixed(2)}%"></i>`,
    )
    return html`<li>
<div><h3>Version ${version.number}</h3> ${chip(version.state)}</div>
<div class="track" aria-hidden="true">
${bars}<i class="today" style="${left(today)}"></i>
</div>
${items(factsOf(version, report))}
</li>`
  })
  return section(
    'Versions',
    html`<ol class="timeline">${rows}</ol>
<div class="axis" aria-hidden="true">
${ticks.map((tick) => html`<span style="${left(tick.left)}">${tick.label}</span>`)}
<b style="${left(today)}">today</b>
</div>
<p class="legend">${kinds.map((kind) => html`<span><i class="${kind}"></i> ${kind}</span>`)}</p>`,
  )
}

/** The facts about a version, for the text below its bar. */
function factsOf(version: VersionLife, { routeFile, lock }: Report): readonly Value[] {
  const { number, life, isPreview, state } = version
  const { rows, defaultVersion, now } = routeFile
  const words = formatLife(version, now)
  const facts: Value[] = words.split(', ').filter((word) => word !== state)
  for (const { from, until } of brownoutsOf(life))
    facts.push(`brownout ${timeOf(from)} to ${timeOf(until)}`)
  if (number === defaultVersion) facts.push('default version')
  if (lock !== null && !isPreview)
    facts.push(lock.versions[number] === undefined ? 'not released' : 'released')
  const docs = life?.docs ?? ''
  if (docs !== '') facts.push(/^https?:/.test(docs) ? html`<a href="${docs}">${docs}</a>` : docs)
  for (const row of rows) {
    const routeWords = formatLife({ life: row.life, isPreview }, now)
    if (row.version === number && routeWords !== words)
      facts.push(`${row.method} ${row.pattern}: ${routeWords}`)
  }
  return facts
}

const signs = { new: '+', inherited: '=', changed: '~', removed: '−' } as const

const statusText = (status: Status): Html =>
  html`<b class="${status}"><i aria-hidden="true">${signs[status]}</i> ${status}</b>`

function resourcesOf({ matrix: { steps, resources } }: Report): Html {
  const rows = resources.map((resource) => {
    const cells = steps.map((step) => cellOf(step.cells.get(resource) ?? []))
    return html`<tr><th scope="row">${resource}</th>${cells}</tr>`
  })
  const changes = steps.map(({ from, to, contract }) => {
    const descriptions = contract?.changes ?? []
    return descriptions.length > 0 && details(`From version ${from} to ${to}`, items(descriptions))
  })
  const heads = ['Resource', ...steps.map(({ to }) => `Version ${to}`)]
  return section(
    'Resources',
    html`<p>Each version, compared with the one before. Click a cell to see its routes, and what
differs in requests and responses.</p>
${table('Resources by version', heads, rows)}
${changes}`,
    steps.some(({ contract }) => contract !== null)
      ? ''
      : `To see what differs in requests and responses, pass your OpenAPI documents: \`${npx} report --documents <module>\``,
  )
}

/**
 * A resource's cell: what the version does with the resource and, when it's opened, with each of
 * its routes.
 */
function cellOf(routes: readonly RouteCell[]): Html {
  if (routes.length === 0) return html`<td></td>`
  const touched = routes.filter(({ status }) => status !== 'inherited').length
  const some = touched < routes.length && `${touched} of `
  const total = count(routes.length, 'route')
  if (touched === 0) return html`<td>${statusText('inherited')} <small>${total}</small></td>`
  const list = routes.map(({ status, route, note, differences }) => {
    const texts = new Set(differences.map(({ text }) => text))
    return html`<li>
${statusText(status)} <code>${route}</code> <small>${note}</small>
${items([...texts].map(withCode))}
</li>`
  })
  const summary = html`${statusText(statusOf(routes))} <small>${some}${total}</small>`
  return html`<td>${details(summary, html`<ul class="routes">${list}</ul>`)}</td>`
}

function findingsOf({ findings, lock }: Report): Html {
  const list = findings.map(
    ({ code, level, text, remedy }) =>
      html`<li>${chip(level)} <code>${code}</code> ${text} <small>${remedy}</small></li>`,
  )
  return section(
    'Findings',
    list.length === 0 ? html`<p>No findings.</p>` : html`<ul class="findings">${list}</ul>`,
    lock === null
      ? `To find changes to released versions, write a lock file and commit it: \`${npx} check --update-lock\``
      : '',
  )
}

function clientsOf({ routeFile, callersOf }: Report): Html {
  if (callersOf === null)
    return section(
      'Clients',
      '',
      `To see who still calls which version, record it with onRouted and pass the file: \`${npx} report --usage usage.json\``,
    )
  const rows = routeFile.lives.flatMap((version) => {
    const head = html`<th scope="row">Version ${version.number} ${chip(version.state)}</th>`
    const callers = callersOf(version.number)
    if (callers.length === 0)
      return [html`<tr>${head}<td colspan="3">no calls in the usage file</td></tr>`]
    return callers.map(
      ({ client, calls, last }) =>
        html`<tr>${head}<td>${client}</td><td>${calls}</td><td>${last}</td></tr>`,
    )
  })
  return section(
    'Clients',
    table('Clients by version', ['Version', 'Client', 'Calls', 'Last call'], rows),
  )
}
