// How findings are printed. Everything that comes from a document is escaped.
import { LineCounter, isNode, parseDocument } from 'yaml'
import { code, markdown, oneLine } from '../escape.ts'
import type { DiffFinding } from '../finding.ts'
import { type FindingGroup, groupFindings } from '../group-findings.ts'
import { abridged, decode, stepsOf } from '../json.ts'
import { resolve } from '../schemas/normalize.ts'
import type { Loaded } from './load.ts'

const levels = ['error', 'warning', 'unclear'] as const

const levelOf = ({ findings, severity }: FindingGroup): (typeof levels)[number] =>
  findings[0]!.unclear === true ? 'unclear' : severity

/** The causes, errors first and unclear ones last. */
export function sortedGroups(findings: readonly DiffFinding[]): readonly FindingGroup[] {
  const groups = groupFindings(findings)
  return levels.flatMap((level) => groups.filter((group) => levelOf(group) === level))
}

/** @example 3 errors, 1 warning, 0 unclear */
function summaryOf(groups: readonly FindingGroup[]): string {
  if (groups.length === 0) return 'No breaking changes.'
  const counts = levels.map((level) => {
    const { length } = groups.filter((group) => levelOf(group) === level)
    return `${length} ${level}${level === 'unclear' || length === 1 ? '' : 's'}`
  })
  return `${counts.join(', ')}.`
}

const placeOf = ({ operations }: FindingGroup): string => abridged(operations, 3, String)

/** If a cause only concerns one operation, the finding's message says more. */
const textOf = ({ cause, findings: [first] }: FindingGroup): string =>
  first!.component === undefined ? first!.message : cause

export const textLines = (groups: readonly FindingGroup[]): readonly string[] => [
  ...groups.map((group) => {
    const level = levelOf(group).padEnd(7)
    return `${level}  ${group.code.padEnd(16)}  ${oneLine(textOf(group))}\n${' '.repeat(27)}${oneLine(placeOf(group))}`
  }),
  summaryOf(groups),
]

export function markdownLines(groups: readonly FindingGroup[]): readonly string[] {
  if (groups.length === 0) return [summaryOf(groups)]
  const rows = groups.map((group) => {
    const place = code(placeOf(group)).replaceAll('|', String.raw`\|`)
    return `| ${levelOf(group)} | ${group.code} | ${markdown(textOf(group))} | ${place} |`
  })
  const head = ['| | Code | Change | Operations |', '| --- | --- | --- | --- |']
  return [`**${summaryOf(groups)}**`, '', ...head, ...rows]
}

// ---- GitHub -------------------------------------------------------------------------------------

const maxAnnotations = 10

/** Workflow commands: annotations at the newer document's lines, and a notice with the summary. */
export function githubLines(groups: readonly FindingGroup[], newer: Loaded): readonly string[] {
  const commands = ['error', 'warning'].flatMap((command) => {
    const ofLevel = groups.filter(({ severity }) => severity === command)
    return ofLevel.slice(0, maxAnnotations).map((group) => {
      const position = locate(group.findings[0]!, newer)
      const text = `${textOf(group)} (${placeOf(group)})`
      return `::${command} ${position}title=${property(group.code)}::${message(text)}`
    })
  })
  return [...commands, `::notice::${message(summaryOf(groups))}`]
}

const message = (text: string): string => oneLine(text).replaceAll('%', '%25')
const property = (text: string): string =>
  message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** The newer document's file and line that are nearest to a finding. Empty for standard input. */
function locate({ component, after, field = '' }: DiffFinding, newer: Loaded): string {
  // The component may have a different name in the newer document.
  const isThere = component !== undefined && resolve(newer.document, component) !== undefined
  const steps = stepsOf(isThere ? decode(component.slice(1)) : (after ?? ''))
  const isInFile = steps[0] === 'x-files'
  const [main] = newer.texts.keys()
  const file = isInFile ? steps[1]! : main!
  if (file === '-') return ''
  const lines = new LineCounter()
  const document = parseDocument(newer.texts.get(file) ?? '', { lineCounter: lines })
  const last = field.split('/').at(-1)
  const path = [...steps.slice(isInFile ? 2 : 0), ...(last ? ['properties', last] : [])]
  const ranges = path.map((_, index) => {
    const node = document.getIn(path.slice(0, index + 1), true)
    return isNode(node) ? node.range : null
  })
  const [offset] = ranges.findLast(Boolean) ?? [0]
  return `file=${property(file)},line=${lines.linePos(offset).line || 1},`
}
