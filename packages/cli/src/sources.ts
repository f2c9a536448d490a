// Reads controller files as text: enough to name their class and its members, without running them.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type Io, UsageError } from './io.ts'

export interface ControllerFile {
  readonly version: number
  /** Inside its version: `users`, `admin/users`. */
  readonly key: string
  /** Absolute. */
  readonly path: string
}

export interface ControllerFolder {
  /** The folder that holds `v1`, `v2`, …; absolute. */
  readonly root: string
  readonly files: readonly ControllerFile[]
}

const usual = ['controllers', 'src/controllers', 'app/controllers']
const controllerFile = /^(.+)_controller\.(?:ts|mts|cts|js|mjs|cjs)$/
const versionFolder = /^v([1-9]\d*)$/

/** The folder of the controllers: the one named, else the first of the usual places; null when there is none. */
export function findControllers({ cwd }: Io, named: string | undefined): ControllerFolder | null {
  const candidates = (named === undefined ? usual : [named]).map((folder) => resolve(cwd, folder)).filter(isFolder)
  if (candidates.length === 0) {
    if (named === undefined) return null
    throw new UsageError(`there is no folder ${named}. Name the folder that holds api/v1 with --controllers <folder>.`)
  }
  const base = candidates[0]!
  const roots = [base, ...folders(base).map((name) => join(base, name))].filter((folder) =>
    folders(folder).some((name) => versionFolder.test(name)),
  )
  if (roots.length > 1)
    throw new UsageError(
      `several folders hold versions: ${roots.map((root) => relative(cwd, root)).join(', ')}. Name one with --controllers.`,
    )
  const root = roots[0]
  if (root === undefined) return { root: join(base, 'api'), files: [] }
  const files = folders(root).flatMap((name) => {
    const version = versionFolder.exec(name)
    return version === null ? [] : filesIn(join(root, name), '', Number(version[1]))
  })
  return { root, files }
}

function filesIn(folder: string, prefix: string, version: number): readonly ControllerFile[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): readonly ControllerFile[] => {
      if (entry.isDirectory()) return filesIn(join(folder, entry.name), `${prefix}${entry.name}/`, version)
      const name = controllerFile.exec(entry.name)
      return name === null ? [] : [{ version, key: prefix + name[1]!, path: join(folder, entry.name) }]
    })
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
const folders = (path: string): readonly string[] => readdirSync(path).filter((name) => isFolder(join(path, name)))

// ---- the text of one file --------------------------------------------------------------------------

export interface Source {
  /** As it stands. */
  readonly text: string
  /** The same length, with comments, strings and regular expressions blanked out: what is left is code. */
  readonly code: string
}

export const readSource = (path: string): Source => {
  const text = readFileSync(path, 'utf8')
  return { text, code: blank(text) }
}

/** Blanks out what is no code. Line breaks stay, and what stands in `${…}` of a template stays code. */
export function blank(text: string): string {
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:\\[\s\S]|[^'\\\n])*'?|"(?:\\[\s\S]|[^"\\\n])*"?|`|\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|[{}]/g
  const braces: ('template' | 'code')[] = []
  let out = ''
  let at = 0
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [one] = found
    out += text.slice(at, found.index)
    at = token.lastIndex
    if (one === '{') braces.push('code')
    if (one === '{' || (one === '}' && braces.pop() !== 'template')) {
      out += one
      continue
    }
    if (one === '`' || one === '}') {
      // A template from here to its end, or to the next `${`.
      const end = /(?:\\[\s\S]|[^`\\$]|\$(?!\{))*(?:\$\{|`|$)/y
      end.lastIndex = at
      const rest = end.exec(text)![0]
      if (rest.endsWith('${')) braces.push('template')
      out += hidden(one + rest)
      at = token.lastIndex = at + rest.length
    } else if (one.startsWith('/') && !/^\/[/*]/.test(one) && /[\w)\]]\s*$/.test(out)) {
      out += '/' // a division
      at = token.lastIndex = found.index + 1
    } else out += hidden(one)
  }
  return out + text.slice(at)
}
const hidden = (text: string): string => text.replace(/[^\n\r]/g, ' ')

/** Where the bracket that opens at `open` closes; -1 when it does not. */
export function closingOf(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if ('([{'.includes(code[at]!)) depth++
    if (')]}'.includes(code[at]!) && --depth === 0) return at
  }
  return -1
}

/** How a file exports its class, and in which module system. */
export interface ExportedClass {
  /** Null for `export default class {`. */
  readonly name: string | null
  readonly as: 'named' | 'default' | 'module.exports' | 'exports' | 'export ='
  /** The name under which it is exported, where that is another. */
  readonly exportedName: string | null
  /** Where its body opens; -1 when the file only passes it on. */
  readonly body: number
  readonly isSubclass: boolean
}

/** The class that a controller file exports; null when there is none to be seen. */
export function exportedClassOf({ code }: Source): ExportedClass | null {
  const pattern = /(?:^|[^\w$.])class\b\s*([\w$]+)?(?:<[^{]*?>)?\s*(extends\b[^{]*)?\{/g
  const classes = [...code.matchAll(pattern)].map((found) => {
    const name = found[1] === 'extends' ? null : (found[1] ?? null)
    const isSubclass = found[2] !== undefined || found[1] === 'extends'
    const body = found.index + found[0].length - 1
    return {
      name,
      before: code.slice(0, found.index + 1).trimEnd(),
      of: (as: ExportedClass['as'], exportedName: string | null = null): ExportedClass => ({
        name,
        as,
        exportedName,
        body,
        isSubclass,
      }),
    }
  })
  for (const { name, before, of } of classes) {
    if (/\bexport\s+default(?:\s+abstract)?$/.test(before)) return of('default')
    if (/\bexport(?:\s+abstract)?$/.test(before) && name !== null) return of('named')
    if (/\bmodule\.exports\s*=$/.test(before)) return of('module.exports')
    const assigned = /\bexports\.([\w$]+)\s*=$/.exec(before)
    if (assigned !== null) return of(assigned[1] === 'default' ? 'default' : 'exports', assigned[1]!)
  }
  for (const { name, of } of classes) {
    if (name === null) continue
    const word = name.replaceAll('$', '\\$')
    if (new RegExp(`\\bexport\\s+default\\s+${word}\\b`).test(code)) return of('default')
    const listed = new RegExp(`\\bexport\\s*\\{[^}]*\\b${word}\\b(?:\\s+as\\s+([\\w$]+))?[^}]*\\}`).exec(code)
    if (listed !== null) return listed[1] === 'default' ? of('default') : of('named', listed[1] ?? null)
    if (new RegExp(`\\bexport\\s*=\\s*${word}\\b`).test(code)) return of('export =')
    if (new RegExp(`\\bmodule\\.exports\\s*=\\s*${word}\\b`).test(code)) return of('module.exports')
    const assigned = new RegExp(`\\bexports\\.([\\w$]+)\\s*=\\s*${word}\\b`).exec(code)
    if (assigned !== null) return of('exports', assigned[1]!)
    if (new RegExp(`\\bmodule\\.exports\\s*=\\s*\\{[^}]*\\b${word}\\b`).test(code)) return of('exports', name)
  }
  return null
}

/** The names of the methods and fields that a class body itself declares. */
export function membersOf({ code }: Source, { body }: ExportedClass): ReadonlySet<string> {
  const end = closingOf(code, body)
  let inner = code.slice(body + 1, end < 0 ? undefined : end)
  for (let found = /[([{]/.exec(inner); found !== null; found = /[([{]/.exec(inner)) {
    const close = closingOf(inner, found.index)
    if (close < 0) break
    // What brackets hold is no member; a mark stays, to tell a method from a name.
    inner = inner.slice(0, found.index) + (found[0] === '(' ? '¶' : ';') + inner.slice(close + 1)
  }
  const names = new Set<string>()
  for (const [, name] of inner.matchAll(
    /(?:^|[;\n}¶])\s*(?:(?:public|protected|private|override|static|async|readonly|declare|accessor|get|set)\s+)*\*?\s*([\w$]+)\s*(?:[?!]?\s*[=:;¶<]|\n|$)/g,
  ))
    names.add(name!)
  return names
}
