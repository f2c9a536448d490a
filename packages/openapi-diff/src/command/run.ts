import { parseArgs } from 'node:util'
import packageFile from '../../package.json' with { type: 'json' }
import { compareDocuments } from '../compare-documents.ts'
import { DiffError } from '../error.ts'
import { oneLine } from '../escape.ts'
import { codes } from '../finding.ts'
import { groupFindings } from '../group-findings.ts'
import { upgradeGuide } from '../upgrade-guide.ts'
import { lineOf, withoutAccepted } from './accepted.ts'
import { openInput } from './input.ts'
import { load } from './load.ts'
import { githubLines, markdownLines, textLines } from './output.ts'

/** What the command reads and writes. */
export interface Io {
  readonly stdin: () => Uint8Array
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  /** Appends to the file of GITHUB_STEP_SUMMARY. */
  readonly addSummary: (text: string) => void
}

const usage = `openapi-diff <before> <after>

Compares two OpenAPI documents, and finds the changes that would break a client.
Pass a file, - for standard input, or <ref>:<path> for a file in a git commit.

--format text|markdown|json|github|guide|accepted   how to print the findings (default: text)
--fail-on error|warning   the lowest severity that fails (default: error)
--ignore <code>           leaves out findings with this code; can be repeated
--accepted <file>         leaves out the findings that are lines of this file
--open-enums              allows new values in response enums
--version                 prints the version
`

/**
 * Runs the command, and returns its exit code: 0 without findings, 1 with findings, 2 if something
 * went wrong.
 */
export function run(args: readonly string[], io: Io): 0 | 1 | 2 {
  try {
    return compare(args, io)
  } catch (error) {
    const isExpected =
      error instanceof DiffError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
    const text = error instanceof Error ? error.message : String(error)
    io.error(`error: ${oneLine(text)}\n`)
    if (!isExpected) io.error('This is a bug in openapi-diff. Please report it.\n')
    return 2
  }
}

const formats = ['text', 'markdown', 'json', 'github', 'guide', 'accepted'] as const

function oneOf<Choice extends string>(option: string, value: string, choices: readonly Choice[]) {
  for (const choice of choices) if (choice === value) return choice
  throw new DiffError(
    'option',
    `--${option} can't be ${value}. Pass one of: ${choices.join(', ')}.`,
  )
}

function compare(args: readonly string[], io: Io) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'text' },
      'fail-on': { type: 'string', default: 'error' },
      ignore: { type: 'string', multiple: true, default: [] },
      accepted: { type: 'string' },
      'open-enums': { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const format = oneOf('format', values.format, formats)
  const failOn = oneOf('fail-on', values['fail-on'], ['error', 'warning'])
  const ignored = new Set<string>(values.ignore.map((name) => oneOf('ignore', name, codes)))
  if (values.help || values.version) {
    io.out(values.help ? usage : `${packageFile.version}\n`)
    return 0
  }
  if (positionals.length !== 2)
    throw new DiffError(
      'option',
      'Pass two documents: openapi-diff <before> <after>. For the options, pass --help.',
    )
  if (positionals.every((input) => input === '-'))
    throw new DiffError('option', 'Only one of the documents can be standard input.')

  const [before, after] = positionals.map((input) => load(openInput(input, io.stdin)))
  const accepted = values.accepted === undefined ? null : openInput(values.accepted, io.stdin)
  const options = { openEnums: values['open-enums'] }
  const all = compareDocuments(before!.document, after!.document, options)
  const { others, unused } = withoutAccepted(all, accepted?.read(accepted.path) ?? '')
  for (const line of unused)
    io.error(
      `warning: no finding matches this line of ${accepted!.path} any more: ${oneLine(line)}\n`,
    )
  const findings = others.filter(({ code }) => !ignored.has(code))
  const groups = groupFindings(findings)

  const writers = {
    json: () => [JSON.stringify({ version: 1, findings }, null, 2)],
    text: () => textLines(groups),
    markdown: () => markdownLines(groups),
    github: () => githubLines(groups, after!),
    guide: () => upgradeGuide(before!.document, after!.document, options).split('\n').slice(0, -1),
    accepted: () => [...new Set(findings.map(lineOf))].toSorted(),
  }
  const write = (name: typeof format) =>
    writers[name]()
      .map((line) => `${line}\n`)
      .join('')
  io.out(write(format))
  if (format === 'github') io.addSummary(write('markdown'))
  const fails = groups.some(({ severity }) => failOn === 'warning' || severity === 'error')
  return fails ? 1 : 0
}
