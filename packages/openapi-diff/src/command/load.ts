// Reads a document with the files that it refers to, as one document.
import { posix } from 'node:path'
import { type ErrorCode, YAMLParseError, parseDocument } from 'yaml'
import { countNodes } from '../budget.ts'
import { DiffError } from '../error.ts'
import { oneLine } from '../escape.ts'
import { type Json, decode, isObject, pointerTo } from '../json.ts'
import { data, maps, prose } from '../without-prose.ts'
import type { Source } from './input.ts'

export interface Loaded {
  readonly document: Json
  /** The text of every file, by its path. */
  readonly texts: ReadonlyMap<string, string>
}

/** The property of the document under which the files that it refers to are kept, by path. */
const home = 'x-files'

/**
 * Loads a document. Each file that it refers to is read once and kept in the document, so that
 * every reference leads into it.
 *
 * @throws {@link DiffError} `unreadable`, `not-openapi` or `unresolved-reference`
 */
export function load(source: Source): Loaded {
  const texts = new Map<string, string>()
  const files: Record<string, unknown> = {}
  const root = parse(source.path, source.read(source.path), texts)
  if (!isObject(root))
    throw new DiffError('not-openapi', `${source.path} isn't an OpenAPI document.`)
  const document = rewrite(root, source.path) as Json
  return { document: { ...document, [home]: files }, texts }

  /**
   * @param map - the keyword that the value belongs to, if that's an object whose keys are names
   */
  function rewrite(value: unknown, file: string, map?: string): unknown {
    if (Array.isArray(value)) return value.map((element) => rewrite(element, file))
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([key, inner]): readonly [string, unknown] => {
      // A mapping names components, or refers to schemas.
      const isRef =
        map === undefined ? key === '$ref' : map === 'mapping' && /[/#.]/.test(String(inner))
      if (isRef && typeof inner === 'string') return [key, target(inner, file)]
      if (map === undefined && (data.has(key) || prose.has(key))) return [key, inner]
      try {
        return [key, rewrite(inner, file, map === undefined && maps.has(key) ? key : undefined)]
      } catch (error) {
        // An extension can refer to what it likes, such as source code.
        if (map === undefined && key.startsWith('x-')) return [key, inner]
        throw error
      }
    })
    return Object.fromEntries(entries)
  }

  /** A reference, rewritten to its target in the one document. */
  function target(ref: string, file: string) {
    const [name = '', fragment = ''] = ref.split('#', 2)
    if (/^[a-z][a-z\d+.-]+:/i.test(name)) return ref // another origin, or a schema's $id
    const path = name === '' ? file : posix.join(posix.dirname(file), decode(name))
    if (path === source.path) return `#${fragment}`
    if (/^\/|^\.\.\/|^\.\.$|^[a-z]:/i.test(path.replaceAll('\\', '/')))
      throw unresolved(ref, file, 'it leads out of the repository')
    if (!Object.hasOwn(files, path)) {
      let text
      try {
        text = source.read(path)
      } catch (error) {
        throw unresolved(ref, file, (error as Error).message)
      }
      const parsed = parse(path, text, texts)
      files[path] = null // the file may refer to itself
      files[path] = rewrite(parsed, path)
    }
    return `#${encodeURI(pointerTo([home, path]))}${fragment}`
  }
}

const unresolved = (ref: string, file: string, why: string): DiffError =>
  new DiffError(
    'unresolved-reference',
    oneLine(`${file} refers to ${ref}, which can't be read: ${why}`),
  )

/**
 * Reads a file. A YAML alias may refer to an object that contains it, or expand to more than fits
 * into memory.
 */
function parse(path: string, text: string, texts: Map<string, string>) {
  texts.set(path, text)
  const value = parseText(path, text)
  if (typeof value === 'object' && value !== null) countNodes(path, value)
  return value
}

/** What's wrong with a YAML file, in words that don't need the parser's manual. */
const yamlProblems: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'its indentation is wrong',
  DUPLICATE_KEY: 'the key occurs twice',
  MISSING_CHAR: 'a character is missing, such as a comma or a quote',
  MULTIPLE_DOCS: 'a second document starts here',
  TAB_AS_INDENT: 'a tab is used as indentation',
}

function parseText(path: string, text: string) {
  try {
    if (path.endsWith('.json')) return JSON.parse(text) as unknown
    const document = parseDocument(text, { merge: true })
    if (document.errors.length > 0) throw document.errors[0]!
    return document.toJS({ maxAliasCount: -1 }) as unknown
  } catch (error) {
    let [where, why] = ['', "it isn't valid YAML"]
    if (error instanceof SyntaxError) why = error.message
    if (error instanceof YAMLParseError) {
      const [place] = error.linePos ?? []
      if (place) where = `, line ${place.line}, column ${place.col}`
      why = yamlProblems[error.code] ?? why
    }
    throw new DiffError('unreadable', oneLine(`${path}${where} can't be read: ${why}`))
  }
}
