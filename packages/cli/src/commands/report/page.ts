import { count, listed } from '../../output.ts'
import { dateOf, formatLife, stateOf } from '../../route-file/lives.ts'
import type { RouteFile, VersionLife } from '../../route-file/route-file.ts'
import type { Finding } from '../check/finding.ts'
import { groupsOf, textOf } from '../check/report.ts'
import { type Difference, directions } from '../diff/contract.ts'
import type { Example } from '../diff/examples.ts'
import type { Caller } from '../retire/usage.ts'
import { compareLines, jsonText } from './bodies.ts'
import { type Html, html } from './html.ts'
import type { Cell, Matrix, RouteCell, Status } from './matrix.ts'
import { mark, style } from './style.ts'
import { brownoutsOf, createTimeline } from './timeline.ts'

/** What a report shows. */
export interface Report {
  /** Its path is the one to show. */
  readonly routeFile: RouteFile
  readonly now: number
  readonly matrix: Matrix
  readonly hasDocuments: boolean
  /** The changes between two versions, and recorded responses that differ. */
  readonly changesOf: (from: number, to: number) => { about: readonly string[]; examples: readonly Example[] }
  /** The versions in the lock file; null without one. */
  readonly released: readonly number[] | null
  readonly findings: readonly Finding[]
  /** Who called a version; null without a usage file. */
  readonly callersOf: ((version: number) => readonly Caller[]) | null
}

/** The report as one HTML file. It has no script, and its policy allows none, whatever a route is called. */
export const reportPage = (report: Report): string => {
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
<header>${mark}<div><h1>${title}</h1><p>${dateOf(now - (now % 60_000))} · <code>${routeFile.path}</code></p></div></header>
<main>
${summary(report)}
${timeline(report)}
${resources(report)}
${findings(report)}
${clients(report)}
</main>
<footer>Written by <code>npx @hv/router-cli report</code>. What it says about time is as of ${dateOf(now - (now % 60_000))}.</footer>
</body>
</html>
`.text
}

const stateAt = ({ life, isPreview }: VersionLife, now: number): string => stateOf(life, isPreview, now)
const chip = (text: string): Html => html`<span class="chip ${text.replace(' ', '-')}">${text}</span>`

function summary(report: Report): Html {
  const { routeFile, now, matrix, callersOf } = report
  const states = new Map<string, number>()
  for (const version of routeFile.lives) states.set(stateAt(version, now), (states.get(stateAt(version, now)) ?? 0) + 1)
  const late = routeFile.lives.filter((version) => !['live', 'preview'].includes(stateAt(version, now)))
  const callers = new Set(
    late
      .flatMap(({ number }) => callersOf?.(number).filter(({ isRecent }) => isRecent) ?? [])
      .map(({ client }) => client),
  )
  const problems = groupsOf(report.findings).filter(
    ([{ level, accepted }]) => level !== 'note' && accepted === undefined,
  )
  const cards = [
    [
      'versions',
      count(routeFile.lives.length, 'version'),
      [...states].map(([state, number]) => `${number} ${state}`).join(', '),
    ],
    ['resources', count(matrix.resources.size, 'resource'), `${count(routeFile.rows.length, 'route')} in all versions`],
    [
      'findings',
      count(problems.length, 'finding'),
      listed([...new Set(problems.map(([{ code }]) => code))], 2) || 'nothing to do',
    ],
    [
      'clients',
      callersOf === null ? 'Clients unknown' : `${count(callers.size, 'client')} to move`,
      callersOf === null ? 'no usage file' : listed([...callers], 2) || 'nobody calls an ending version',
    ],
  ] as const
  return html`<nav aria-label="Sections">${cards.map(([id, figure, text]) => html`<a href="#${id}"><b>${figure}</b> <span>${text}</span></a>`)}</nav>`
}

function timeline({ routeFile, now, released }: Report): Html {
  const { today, ticks, spans } = createTimeline(routeFile.lives, now)
  const ownEnds = ({ number, life }: VersionLife): readonly string[] =>
    routeFile.rows.flatMap((row) =>
      row.version === number && row.life !== null && formatLife(row.life, false, now) !== formatLife(life, false, now)
        ? [`${row.method} ${row.pattern}: ${formatLife(row.life, false, now)}`]
        : [],
    )
  const row = (version: VersionLife): Html => {
    const { number, life, isPreview } = version
    const brownouts = brownoutsOf(life).map(({ from, until }) => `brownout ${dateOf(from)} to ${dateOf(until)}`)
    const facts = [
      formatLife(life, isPreview, now),
      ...brownouts,
      ...(number === routeFile.defaultVersion ? ['the default version'] : []),
      ...(released === null || isPreview ? [] : [released.includes(number) ? 'released' : 'not released']),
    ]
    const docs = life?.docs ?? ''
    return html`<li><div><h3>Version ${number}</h3> ${chip(stateAt(version, now))}</div>
<div class="track" aria-hidden="true">${spans.get(number)!.map(({ kind, left, width }) => html`<i class="${kind}" style="left:${left.toFixed(2)}%;width:${width.toFixed(2)}%"></i>`)}<i class="today" style="left:${today.toFixed(2)}%"></i></div>
<ul>${[...facts, ...ownEnds(version)].map((fact) => html`<li>${fact}</li>`)}${docs !== '' && html`<li>${/^https?:/.test(docs) ? html`<a href="${docs}">${docs}</a>` : docs}</li>`}</ul></li>`
  }
  return html`<section id="versions"><h2>Versions</h2>
<ol class="timeline">${routeFile.lives.map(row)}</ol>
<div class="axis" aria-hidden="true">${ticks.map(({ label, left }) => html`<span style="left:${left.toFixed(2)}%">${label}</span>`)}<b style="left:${today.toFixed(2)}%">today</b></div>
<p class="legend">${['live', 'preview', 'deprecated', 'brownout', 'retired'].map((kind) => html`<span><i class="${kind}"></i> ${kind}</span>`)}</p>
${released === null && help('There is no lock file, so nobody knows which versions are released. Write one:', 'check --update-lock')}</section>`
}

const help = (text: string, command: string): Html =>
  html`<p class="help">${text} <code>npx @hv/router-cli ${command}</code></p>`

const signs: Readonly<Record<Status, string>> = {
  new: '+',
  inherited: '=',
  changed: '~',
  'may differ': '?',
  removed: '−',
}

function resources(report: Report): Html {
  const { matrix, routeFile, hasDocuments, changesOf } = report
  const popovers: Html[] = []
  /** A button, and what it opens. Ids are numbers: no name can be in another's way. */
  const opening = (label: Html, title: string, content: Html): Html => {
    const id = `details-${popovers.length}`
    popovers.push(
      html`<div popover id="${id}" role="dialog" aria-labelledby="${id}-title"><h3 id="${id}-title">${title}</h3><button class="close" popovertarget="${id}" popovertargetaction="hide" autofocus>Close</button>${content}</div>`,
    )
    return html`<button popovertarget="${id}">${label}</button>`
  }
  const heading = (version: number, index: number): Html => {
    const before = matrix.versions[index - 1]
    const { about, examples } = before === undefined ? { about: [], examples: [] } : changesOf(before, version)
    if (about.length + examples.length === 0) return html`<th scope="col">Version ${version}</th>`
    const content = html`<ul>${about.map((text) => html`<li>${text}</li>`)}</ul>${examples.map((example) => bodies(example, before!, version))}`
    return html`<th scope="col">${opening(html`Version ${version}`, `From version ${before} to ${version}`, content)}</th>`
  }
  const cellOf = (key: string, cell: Cell | undefined, version: number): Html => {
    if (cell === undefined) return html`<td><span class="none">not in version ${version}</span></td>`
    const changed = cell.routes.filter(({ status }) => status !== 'inherited').length
    const label = html`<b class="${cell.status.replace(' ', '-')}"><i aria-hidden="true">${signs[cell.status]}</i> ${cell.status}</b> <small>${cell.status === 'changed' && `${changed} of `}${count(cell.routes.length, 'route')}</small>`
    return html`<td>${cell.status === 'inherited' ? label : opening(label, `${key} in version ${version}`, routeList(cell.routes, hasDocuments))}</td>`
  }
  const rows = [...matrix.resources].map(
    ([key, cells]) =>
      html`<tr><th scope="row">${key}</th>${matrix.versions.map((version) => cellOf(key, cells.get(version), version))}</tr>`,
  )
  return html`<section id="resources"><h2>Resources</h2>
<p>Each version, compared with the one before. Open a cell to see its routes and what differs in requests and responses.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Resources by version"><table><thead><tr><th scope="col">Resource</th>${matrix.versions.map(heading)}</tr></thead><tbody>${rows}</tbody></table></div>
${!hasDocuments && help('Differences in requests and responses are unknown without OpenAPI documents. Pass them:', 'report --documents <module>')}
${popovers}</section>`
}

const routeList = (
  routes: readonly RouteCell[],
  hasDocuments: boolean,
): Html => html`<ul class="routes">${routes.map(({ route, status, note, differences }) => html`<li><b class="${status.replace(' ', '-')}"><i aria-hidden="true">${signs[status]}</i> ${status}</b> <code>${route}</code> ${note !== '' && html`<small>${note}</small>`}${(['request', 'response'] as const).map((direction) => differenceList(direction, differences))}</li>`)}</ul>
${!hasDocuments && routes.some(({ status }) => status === 'may differ') && html`<p>The version before is derived from this one by changes. Pass <code>--documents</code> to see what differs.</p>`}`

function differenceList(direction: Difference['direction'], all: readonly Difference[]): Html | false {
  const texts = new Set(all.flatMap((difference) => (difference.direction === direction ? [difference.text] : [])))
  const coded = (text: string): readonly (string | Html)[] =>
    text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))
  return (
    texts.size > 0 &&
    html`<p>${directions[direction]}</p><ul>${[...texts].map((text) => html`<li>${coded(text)}</li>`)}</ul>`
  )
}

function bodies({ name, before, after }: Example, from: number, to: number): Html {
  const [old, current] = [before.body, after.body].map((body) => (typeof body === 'string' ? body : jsonText(body)))
  const column = (version: number, status: number, body: string, other: string): Html =>
    html`<div><p><b>Version ${version}</b> ${status}</p><pre tabindex="0">${compareLines(body, other).map(({ text, isDifferent }) => (isDifferent ? html`<mark>${text}</mark>` : html`<span>${text}</span>`))}</pre></div>`
  return html`<h4>${name}</h4><div class="bodies">${column(from, before.status, old!, current!)}${column(to, after.status, current!, old!)}</div>`
}

function findings({ findings: all, released }: Report): Html {
  const order = { error: 0, warning: 1, note: 2 } as const
  const groups = groupsOf(all).toSorted(([a], [b]) => order[a.level] - order[b.level])
  const item = (group: (typeof groups)[number]): Html => {
    const [{ code, level, accepted, remedy, fingerprint }] = group
    return html`<li>${chip(accepted === undefined ? level : 'accepted')} <code>${code}</code> ${textOf(group)} ${remedy !== undefined && html`<small>${remedy}</small>`}${accepted !== undefined && html`<small>Accepted on ${accepted.date}: ${accepted.reason}</small>`}${accepted === undefined && fingerprint !== undefined && html`<small>Fingerprint ${fingerprint}</small>`}</li>`
  }
  return html`<section id="findings"><h2>Findings</h2>
${groups.length === 0 ? html`<p>No findings.</p>` : html`<ul class="findings">${groups.map(item)}</ul>`}
${released === null && help('Without a lock file, changes to released versions aren’t found. Write one when you release a version:', 'check --update-lock')}</section>`
}

function clients({ routeFile, now, callersOf }: Report): Html {
  const rowsOf = (version: VersionLife): readonly Html[] => {
    const head = html`Version ${version.number} ${chip(stateAt(version, now))}`
    const callers = callersOf!(version.number)
    if (callers.length === 0)
      return [html`<tr><th scope="row">${head}</th><td colspan="3">no calls in the usage file</td></tr>`]
    const age = (isRecent: boolean): string => (isRecent ? 'in the last 30 days' : 'more than 30 days ago')
    return callers.map(
      ({ client, calls, last, isRecent }) =>
        html`<tr><th scope="row">${head}</th><td>${client}</td><td>${calls ?? 'unknown'}</td><td>${last} <small>${age(isRecent)}</small></td></tr>`,
    )
  }
  const table = () =>
    html`<div class="scroll" tabindex="0" role="region" aria-label="Clients by version"><table><thead><tr>${['Version', 'Client', 'Calls', 'Last call'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${routeFile.lives.map(rowsOf)}</tbody></table></div>`
  return html`<section id="clients"><h2>Clients</h2>
${callersOf === null ? help('Record who calls which version with onRouted, and pass the file:', 'report --usage usage.json') : table()}</section>`
}
