import { type CompareOptions, compareDocuments } from './compare-documents.ts'
import { code, markdown } from './escape.ts'
import type { DiffFinding } from './finding.ts'

/**
 * Writes what clients of the older document have to change, as Markdown: one line per kind of
 * change, with everything it concerns. What's only new comes last, folded.
 *
 * @throws {@link DiffError} like `compareDocuments`
 * @returns sections with headings of the third level. Empty if there's nothing to tell
 * @example writeFileSync('UPGRADING.md', `# From 1 to 2\n\n${upgradeGuide(v1, v2)}`)
 */
export function upgradeGuide(before: object, after: object, options: CompareOptions = {}): string {
  const findings = compareDocuments(before, after, options)
  // On the way back, what's new is gone. A field that only became required isn't new.
  const added = compareDocuments(after, before)
  const required = new Set(findings.filter(({ kind }) => kind === 'missing').map(fieldOf))
  const newFields = added.filter((finding) =>
    finding.direction === 'request'
      ? finding.kind === 'gone' && !required.has(fieldOf(finding))
      : finding.kind === 'gone' || finding.kind === 'missing',
  )
  const ofCode = (from: readonly DiffFinding[], wanted: DiffFinding['code']) =>
    from.filter((finding) => finding.code === wanted)
  const clear = findings.filter((finding) => finding.code !== 'lost-operation' && !finding.unclear)
  const sections = [
    section('Removed', namesOf(ofCode(findings, 'lost-operation'))),
    section('Requests to change', linesOf(clear.filter(isRequired))),
    section(
      'Responses that differ',
      linesOf(clear.filter(({ direction }) => direction === 'response')),
    ),
    section('Less likely to matter', linesOf(clear.filter(isOptional))),
    section('To check', linesOf(ofCode(findings, 'unclear-change'))),
    section('New', [
      ...namesOf(ofCode(added, 'lost-operation')),
      ...folded('New parameters', fieldsOf(ofCode(added, 'lost-parameter'))),
      ...folded('New fields', fieldsOf(newFields)),
    ]),
  ]
  return sections.flat().join('\n')
}

const isRequired = ({ direction, severity }: DiffFinding): boolean =>
  direction === 'request' && severity === 'error'
const isOptional = ({ direction, severity }: DiffFinding): boolean =>
  direction === 'request' && severity === 'warning'

const fieldOf = ({ operation, where, field }: DiffFinding): string =>
  [operation, where, field].join(' ')

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`### ${title}`, '', ...lines, '']

/** The operations that are only in one of the documents. */
const namesOf = (findings: readonly DiffFinding[]): readonly string[] =>
  findings.length === 0 ? [] : [`- ${findings.map(({ operation }) => code(operation)).join(', ')}`]

/** One line per reason, with everything that it applies to. */
function linesOf(findings: readonly DiffFinding[]): readonly string[] {
  const groups = new Map<string, DiffFinding[]>()
  for (const finding of findings) {
    const reason = reasonOf(finding)
    groups.set(reason, [...(groups.get(reason) ?? []), finding])
  }
  return [...groups].map(([reason, group]) => {
    const subjects = [...new Set(group.map(inMarkdown))].filter((subject) => subject !== '')
    const operations = [...new Set(group.map(({ operation }) => operation))]
    const place = operations.length === 1 ? code(operations[0]!) : `${operations.length} operations`
    return `- ${subjects.join(', ')} ${markdown(reason)} (in ${place})`.replace('-  ', '- ')
  })
}

/** What happened, in a client's words. */
function reasonOf({ kind, direction, reason }: DiffFinding): string {
  if (kind !== 'missing') return reason
  return direction === 'request' ? 'is required now' : 'is gone'
}

/** What a finding is about: `User/name`, or `body: /name` outside of components. */
const subjectOf = ({ cause, reason }: DiffFinding): string =>
  cause.endsWith(reason) ? cause.slice(0, -reason.length).trim() : ''

/** A subject with its names in code: `` `User/name` ``, or ``status 200: `name` ``. */
function inMarkdown(finding: DiffFinding): string {
  const { component, where, field } = finding
  const subject = subjectOf(finding)
  if (component !== undefined || !field)
    return component === undefined ? markdown(subject) : code(subject)
  return `${markdown(where)} ${code(field.slice(1))}`
}

/** The new fields of each schema, or parameters of each operation, in one line. */
function fieldsOf(findings: readonly DiffFinding[]): readonly string[] {
  const byHome = new Map<string, Set<string>>()
  for (const finding of findings) {
    const subject = subjectOf(finding)
    const end = finding.field ? subject.indexOf('/') : -1
    const home = end > 0 && finding.component ? subject.slice(0, end) : finding.operation
    const fields = byHome.get(home) ?? new Set()
    const name = home === finding.operation ? inMarkdown(finding) : code(subject.slice(end + 1))
    byHome.set(home, fields.add(name))
  }
  return [...byHome].map(([home, fields]) => `${code(home)}: ${[...fields].join(', ')}`)
}

const mostUnfolded = 10

/** A list, or what unfolds to one. */
function folded(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return []
  if (lines.length <= mostUnfolded) return lines.map((line) => `- ${line}`)
  return ['', `<details><summary>${title}</summary>`, '', lines.join('; '), '', '</details>']
}
