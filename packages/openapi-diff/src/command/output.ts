// How findings are printed. Everything that comes from a document is escaped.
import { LineCounter, isNode, parseDocument } from 'yaml'
import { code, markdown, oneLine } from '../escape.ts'
import type { DiffFinding } from '../finding.ts'
import { type FindingGroup, levelOf, levels } from '../group-findings.ts'
import { abridged, decode, stepsOf } from '../json.ts'
import { resolve } from '../schemas/normalize.ts'
import type { Loaded } from './load.ts'

/** @example 3 errors, 1 warning, 0 unclear */
function summaryOf(groups: readonly FindingGroup[]) {
  if (groups.length === 0) return 'No breaking changes.'
  const counts: string[] = []
  for (const level of levels) {
    const { length } = groups.filter((group) => levelOf(group) === level)
    counts.push(`${length} ${level}${level === 'unclear' || length === 1 ? '' : 's'}`)
  }
  return `${counts.join(', ')}.`
}

const placeOf = ({ operations }: FindingGroup) => abridged(operations, 3, String)

/** If a cause only concerns one operation, the finding's message says more. */
const textOf = ({ cause, findings: [first] }: FindingGroup) =>
  first!.component === undefined ? first!.message : cause

export function textLines(groups: readonly FindingGroup[]): readonly string[] {
  const lines: string[] = []
  for (const group of groups) {
    const start = `${levelOf(group).padEnd(7)}  ${group.code.padEnd(16)}  `
    lines.push(start + oneLine(textOf(group)), ' '.repeat(27) + oneLine(placeOf(group)))
  }
  return [...lines, summaryOf(groups)]
}

export function markdownLines(groups: readonly FindingGroup[]): readonly string[] {
  if (groups.length === 0) return [summaryOf(groups)]
  const lines = [`**${summaryOf(groups)}**`, '', '| | Code | Change | Operations |']
  lines.push('| --- | --- | --- | --- |')
  for (const group of groups) {
    const place = code(placeOf(group)).replaceAll('|', String.raw`\|`)
    lines.push(`| ${levelOf(group)} | ${group.code} | ${markdown(textOf(group))} | ${place} |`)
  }
  return lines
}

// ---- GitHub -------------------------------------------------------------------------------------

const maxAnnotations = 10

/** Workflow commands: annotations at the newer document's lines, and a notice with the summary. */
export function githubLines(groups: readonly FindingGroup[], newer: Loaded): readonly string[] {
  const commands: string[] = []
  for (const command of ['error', 'warning']) {
    const ofLevel = groups.filter(({ severity }) => severity === command)
    for (const group of ofLevel.slice(0, maxAnnotations)) {
      const position = locate(group.findings[0]!, newer)
      const text = `${textOf(group)} (${placeOf(group)})`
      commands.push(`::${command} ${position}title=${property(group.code)}::${message(text)}`)
    }
  }
  return [...commands, `::notice::${message(summaryOf(groups))}`]
}

const message = (text: string) => oneLine(text).replaceAll('%', '%25')
const property = (text: string) => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** The newer document's file and line that are nearest to a finding. Empty for standard input. */
function locate({ component, after, field = '' }: DiffFinding, newer: Loaded) {
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
  let offset = 0
  for (const index of path.keys()) {
    const node = document.getIn(path.slice(0, index + 1), true)
    if (isNode(node) && node.range) [offset] = node.range
  }
  return `file=${property(file)},line=${lines.linePos(offset).line || 1},`
}
