import { count } from '../../output.ts'
import { dateOf, formatLife, stateOf } from '../../route-file/lives.ts'
import type { RouteFile, VersionLife } from '../../route-file/route-file.ts'
import type { Contracts } from '../../project/documents.ts'
import type { Lock } from '../check/lock.ts'
import { type Group, textOf } from '../check/report.ts'
import { type Difference, directions } from '../diff/contract.ts'
import { type Example, changesBetween, examplesOf } from '../diff/examples.ts'
import type { Caller } from '../retire/usage.ts'
import { compareLines, jsonText } from './bodies.ts'
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
  readonly contracts: Contracts | null
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
${[summary, timeline, resources, findings, clients].map((section) => section(report))}
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

function summary({ routeFile, now, matrix, findings: groups, callersOf }: Report): Html {
  const states = routeFile.lives.map((version) => stateOf(version, now))
  const ending = routeFile.lives.filter((_, index) => states[index] !== 'live' && states[index] !== 'preview')
  const calls = ending.flatMap(({ number }) => callersOf?.(number) ?? [])
  const callers = new Set(calls.filter(({ isRecent }) => isRecent).map(({ client }) => client))
  const levels = groups.map(([{ accepted, level }]) => (accepted === undefined ? level : 'accepted'))
  const tally = (words: readonly string[]): string =>
    [...new Set(words)].map((word) => `${words.filter((other) => other === word).length} ${word}`).join(', ')
  const cards = [
    ['versions', count(states.length, 'version'), tally(states)],
    ['resources', count(matrix.resources.size, 'resource'), `${count(routeFile.rows.length, 'route')} in all versions`],
    ['findings', count(groups.length, 'finding'), tally(levels)],
    callersOf === null
      ? ['clients', 'Clients', 'no usage file']
      : ['clients', count(callers.size, 'client'), 'called an ending version lately'],
  ] as const
  const card = ([id, title, text]: (typeof cards)[number]) => html`<a href="#${id}"><b>${title}</b> ${text}</a>`
  return html`<nav aria-label="Sections">${cards.map(card)}</nav>`
}

function timeline({ routeFile, now, lock, matrix }: Report): Html {
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
      ...(lock !== null && !isPreview && matrix.versions.includes(number) ? [isReleased] : []),
      ...(docs === null ? [] : [/^https?:/.test(docs) ? html`<a href="${docs}">${docs}</a>` : docs]),
      ...routes.map(
        ({ method, pattern, life: own }) => `${method} ${pattern}: ${formatLife({ life: own, isPreview }, now)}`,
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

const signs = { new: '+', inherited: '=', changed: '~', 'may differ': '?', removed: '−' } as const
const statusText = (status: Status): Html =>
  html`<b class="${status.replace(' ', '-')}"><i aria-hidden="true">${signs[status]}</i> ${status}</b>`

function resources({ matrix, contracts }: Report): Html {
  const popovers: Html[] = []
  /** A button, and what it opens. The ids are numbers, so a name can't be in another's way. */
  const opening = (label: string | Html, title: string, content: Html): Html => {
    const id = `details-${popovers.length}`
    popovers.push(html`<div popover id="${id}" role="dialog" aria-labelledby="${id}-title"><h3 id="${id}-title">${title}</h3>
<button class="close" popovertarget="${id}" popovertargetaction="hide" autofocus>Close</button>${content}</div>`)
    return html`<button popovertarget="${id}">${label}</button>`
  }
  const head = (version: number, index: number): string | Html => {
    const before = matrix.versions[index - 1]
    if (before === undefined || contracts === null) return `Version ${version}`
    const about = changesBetween(contracts.changes, before, version)
    const examples = examplesOf(contracts.recordings, before, version)
    if (about.length + examples.length === 0) return `Version ${version}`
    const content = html`${items(about)}${examples.map((example) => bodies(example, before, version))}`
    return opening(`Version ${version}`, `From version ${before} to ${version}`, content)
  }
  const cell = (key: string, routes: readonly RouteCell[] | undefined, version: number): Html => {
    if (routes === undefined) return html`<td><small>not in version ${version}</small></td>`
    const touched = routes.filter(({ status }) => status !== 'inherited').length
    const some = touched > 0 && touched < routes.length && `${touched} of `
    const label = html`${statusText(statusOf(routes))} <small>${some}${count(routes.length, 'route')}</small>`
    return html`<td>${touched === 0 ? label : opening(label, `${key} in version ${version}`, routeList(routes))}</td>`
  }
  const rows = [...matrix.resources].map(
    ([key, cells]) =>
      html`<tr><th scope="row">${key}</th>${matrix.versions.map((version) => cell(key, cells.get(version), version))}</tr>`,
  )
  return html`<section id="resources"><h2>Resources</h2>
<p>Each version, compared with the one before. Open anything with a frame to see its routes, and what differs in requests and responses.</p>
${table('Resources by version', ['Resource', ...matrix.versions.map(head)], rows)}
${contracts === null && help('To see what differs in requests and responses, pass your OpenAPI documents:', 'report --documents <module>')}
${popovers}</section>`
}

function routeList(routes: readonly RouteCell[]): Html {
  const item = ({ status, route, note, differences = [] }: RouteCell): Html => html`<li>
${statusText(status)} <code>${route}</code> <small>${note}</small>
${(['request', 'response'] as const).map((direction) => differenceList(direction, differences))}</li>`
  return html`<ul class="routes">${routes.map(item)}</ul>`
}

function differenceList(direction: Difference['direction'], differences: readonly Difference[]): Html | false {
  const texts = new Set(differences.filter((one) => one.direction === direction).map(({ text }) => text))
  // Every other part of `status 200: \`name\` is gone` is code.
  const coded = [...texts].map((text) =>
    text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part)),
  )
  return texts.size > 0 && html`<p>${directions[direction]}</p>${items(coded)}`
}

function bodies({ name, before, after }: Example, from: number, to: number): Html {
  const [old, young] = [before.body, after.body].map((body) => (typeof body === 'string' ? body : jsonText(body)))
  const column = (version: number, status: number, body: string, other: string): Html => html`<div>
<p><b>Version ${version}</b> ${status}</p><pre tabindex="0">${compareLines(body, other).map(({ text, isDifferent }) =>
    isDifferent ? html`<mark>${text}</mark>` : html`<span>${text}</span>`,
  )}</pre></div>`
  return html`<h4>${name}</h4>
<div class="bodies">${column(from, before.status, old!, young!)}${column(to, after.status, young!, old!)}</div>`
}

function findings({ findings: groups, lock }: Report): Html {
  const item = (group: Group): Html => {
    const [{ code, level, accepted, remedy, fingerprint }] = group
    const more = accepted === undefined ? remedy : `Accepted on ${accepted.date}: ${accepted.reason}`
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
    if (callers.length === 0) return [html`<tr>${head}<td colspan="3">no calls in the usage file</td></tr>`]
    const ageOf = ({ isRecent }: Caller): string => (isRecent ? 'in the last 30 days' : 'more than 30 days ago')
    return callers.map(
      (caller) => html`<tr>${head}<td>${caller.client}</td><td>${caller.calls}</td>
<td>${caller.last} <small>${ageOf(caller)}</small></td></tr>`,
    )
  }
  const content =
    callersOf === null
      ? help(
          'To see who still calls which version, record it with onRouted and pass the file:',
          'report --usage usage.json',
        )
      : table('Clients by version', ['Version', 'Client', 'Calls', 'Last call'], routeFile.lives.flatMap(rowsOf))
  return html`<section id="clients"><h2>Clients</h2>
${content}</section>`
}
