import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EcmaScriptModule, ParseResult, Program } from 'oxc-parser'
import { UsageError } from '../output.ts'

/** A parsed file. A node's offsets are offsets into `text`. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly program: Program
  /** Its imports and exports as a list. */
  readonly module: EcmaScriptModule
}

/** Why a file can't be parsed, and where. Lines count from 1. */
export interface Unparsed {
  readonly path: string
  readonly why: string
  readonly line: number
}

/** What the parser's process reads: a list of these. */
interface Source extends Pick<SourceFile, 'path' | 'text'> {
  readonly lang: 'ts' | 'jsx'
}

/** A line that it writes for each of them. Null if the file is nested too deeply. */
type Answer = Pick<ParseResult, 'program' | 'module' | 'errors'> | null

const maxSize = 1_000_000
const parser = fileURLToPath(new URL('./parse-process.js', import.meta.url))

/**
 * Parses TypeScript and JavaScript files, each up to its first syntax error. The parser gets a
 * process of its own, because a file that's nested too deeply ends that process without an error.
 * The files after that one get another.
 */
export function parseFiles(paths: readonly string[]): readonly (SourceFile | Unparsed)[] {
  const files = paths.map(readSource)
  const parsed = new Map<string, SourceFile | Unparsed>()
  let sources = files.filter((file) => 'lang' in file)
  while (sources.length > 0) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [parser], {
      input: JSON.stringify(sources),
      encoding: 'utf8',
      maxBuffer: Infinity,
      timeout: 60_000,
    })
    // Node's own exit code for an exception, such as a parser that isn't installed as a whole.
    if (status === 1) throw new UsageError(`the parser failed: ${stderr.trim()}`)
    const lines = stdout.split('\n').slice(0, -1)
    const answers = lines.map((line) => JSON.parse(line) as Answer)
    if (status !== 0) answers.push(null)
    for (const [index, answer] of answers.entries()) {
      const source = sources[index]!
      parsed.set(source.path, fileOf(source, answer))
    }
    sources = sources.slice(answers.length)
  }
  return files.map((file) => ('lang' in file ? parsed.get(file.path)! : file))
}

function readSource(path: string): Source | Unparsed {
  const [, language] = /\.[mc]?([jt])s$/.exec(path) ?? []
  const unparsed = (why: string): Unparsed => ({ path, why, line: 1 })
  if (language === undefined) return unparsed("it's neither TypeScript nor JavaScript")
  try {
    if (statSync(path).size > maxSize) return unparsed(`it's larger than ${maxSize} bytes`)
    return { path, text: readFileSync(path, 'utf8'), lang: language === 't' ? 'ts' : 'jsx' }
  } catch (error) {
    return unparsed((error as Error).message)
  }
}

function fileOf({ path, text }: Source, answer: Answer): SourceFile | Unparsed {
  if (answer === null) return { path, why: "it's nested too deeply", line: 1 }
  const { program, module, errors } = answer
  const [error] = errors
  if (error === undefined) return { path, text, program, module }
  return { path, why: error.message, line: lineAt(text, error.labels[0]?.start ?? 0) }
}

/** The line of an offset. Lines count from 1. */
export const lineAt = (text: string, offset: number): number =>
  text.slice(0, offset).split('\n').length
