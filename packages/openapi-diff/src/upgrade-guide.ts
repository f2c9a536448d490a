import { type CompareOptions, compareDocuments } from './compare-documents.ts'
import { code, markdown } from './escape.ts'
import type { DiffFinding } from './finding.ts'
import { abridged, groupBy } from './json.ts'

/**
 * Writes what clients of the older document have to change, as Markdown: one line per kind of
 * change, with everything it concerns. New operations and fields come last, folded.
 *
 * @throws {@link DiffError} like `compareDocuments`
 * @returns sections with headings of the third level. Empty if there's nothing to tell
 * @example writeFileSync('UPGRADING.md', `# From 1 to 2\n\n${upgradeGuide(v1, v2)}`)
 */
export function upgradeGuide(before: object, after: object, options: CompareOptions = {}): string {
  const findings = compareDocuments(before, after, options)
  const clear = findings.filter((finding) => finding.code !== 'lost-operation' && !finding.unclear)
  const ofRequests = groupBy(clear, ({ direction, severity }) =>
    direction === 'response' ? direction : severity,
  )
  // What's gone in the opposite direction is new, except a field that only became required.
  const added = compareDocuments(after, before)
  const required = new Set(findings.filter(({ kind }) => kind === 'missing').map(fieldOf))
  const newFields = added.filter((finding) => {
    if (finding.direction === 'response') return /^(?:gone|missing)$/.test(finding.kind ?? '')
    return finding.kind === 'gone' && !required.has(fieldOf(finding))
  })
  const sections = {
    Removed: namesOf(findings),
    'Requests to change': linesOf(ofRequests.get('error')),
    'Responses that differ': linesOf(ofRequests.get('response')),
    'Less likely to matter': linesOf(ofRequests.get('warning')),
    'To check': linesOf(findings.filter(({ unclear }) => unclear)),
    New: [
      ...namesOf(added),
      ...folded('New parameters', withCode(added, 'lost-parameter')),
      ...folded('New fields', newFields),
    ],
  }
  let text = ''
  for (const [title, lines] of Object.entries(sections))
    if (lines.length > 0) text += `### ${title}\n\n${lines.join('\n')}\n\n`
  return text.slice(0, -1)
}

const withCode = (findings: readonly DiffFinding[], name: DiffFinding['code']) =>
  findings.filter((finding) => finding.code === name)

const fieldOf = ({ operation, where, field }: DiffFinding) => [operation, where, field].join(' ')

/** The operations that are only in one of the documents. */
const namesOf = (findings: readonly DiffFinding[]) =>
  withCode(findings, 'lost-operation').map(({ operation }) => `- ${code(operation)}`)

/** One line per reason and place, with everything that the reason applies to there. */
function linesOf(findings: readonly DiffFinding[] = []) {
  const changes = groupBy(findings, (finding) => inMarkdown(finding) + reasonOf(finding))
  const lines = groupBy(
    [...changes.values()],
    (group) => `${markdown(reasonOf(group[0]))} ${placeOf(group)}`,
  )
  return [...lines].map(([predicate, groups]) => {
    const subjects = groups.map(([finding]) => inMarkdown(finding)).filter(Boolean)
    const plural = subjects.length > 1 ? predicate.replace(/^is /, 'are ') : predicate
    return `- ${subjects.join(', ')} ${plural}`.replace('-  ', '- ')
  })
}

const reasonOf = ({ kind, direction, reason }: DiffFinding) =>
  kind === 'missing' && direction === 'response' ? 'is gone' : reason

/** @example (in `GET /users`, `GET /me`, `GET /team` and 4 more) */
function placeOf(findings: readonly DiffFinding[]) {
  const operations = new Set(findings.map(({ operation }) => operation))
  return `(in ${abridged([...operations], 3, code)})`
}

/** What a finding is about: `` `User/name` ``, or ``status 200: `name` `` outside of components. */
function inMarkdown({ cause, reason, component, where, field }: DiffFinding) {
  const subject = cause.slice(0, -reason.length).trim()
  if (component !== undefined) return code(subject)
  return field ? `${markdown(where)} ${code(field.slice(1))}` : markdown(subject)
}

const maxUnfolded = 10

/** A list of parameters or fields, or what unfolds to one. */
function folded(title: string, findings: readonly DiffFinding[]) {
  const groups = groupBy(findings, inMarkdown)
  const lines = Array.from(groups, ([subject, group]) => `${subject} ${placeOf(group)}`)
  if (lines.length <= maxUnfolded) return lines.map((line) => `- ${line}`)
  return ['', `<details><summary>${title}</summary>`, '', lines.join('; '), '', '</details>']
}
