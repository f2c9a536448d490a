// Where documents come from: standard input, files, and files of a git commit.
import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { DiffError } from '../error.ts'
import { oneLine } from '../escape.ts'

/** Where files are read from: a folder or a commit. */
export interface Source {
  /** The document's path in the source, with slashes. */
  readonly path: string
  /** @throws {@link DiffError} for a path that isn't there, or that leads out of the source */
  readonly read: (path: string) => string
}

const unreadable = (message: string): DiffError => new DiffError('unreadable', oneLine(message))

/** Opens `-`, a file, or `<ref>:<path>`. */
export function openInput(input: string, stdin: () => Uint8Array): Source {
  if (input === '-') {
    const { read } = openFolder('stdin')
    return {
      path: '-',
      read: (path) => (path === '-' ? textOf('Standard input', stdin) : read(path)),
    }
  }
  if (isFile(input)) return openFolder(input)
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(input))
    throw unreadable(`${input} is a remote address. Download the document first.`)
  const [, ref, path] = /^([^:]{2,}):(.+)$/s.exec(input) ?? []
  if (ref === undefined || path === undefined) throw unreadable(`There's no file ${input}.`)
  return openCommit(ref, path)
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Reads UTF-8, or UTF-16 as PowerShell writes it, with or without a byte order mark. */
function textOf(name: string, read: () => Uint8Array) {
  let bytes
  try {
    bytes = read()
  } catch {
    throw unreadable(`${name} can't be read. Check that it's there, and that you may read it.`)
  }
  // A document starts with a character of ASCII, so in UTF-16 its other byte is 0.
  const [first, second] = bytes
  const isLittleEndian = first === 0xff || second === 0
  const isBigEndian = first === 0xfe || first === 0
  const encoding = isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

// ---- folders ------------------------------------------------------------------------------------

/** Files in the document's repository or, outside of one, in the working folder. */
function openFolder(file: string): Source {
  const document = isFile(file) ? realpathSync(file) : null // standard input has no folder
  const folder = document === null ? process.cwd() : dirname(document)
  const root = realpathSync(tryGit(['-C', folder, 'rev-parse', '--show-toplevel']) ?? process.cwd())
  return {
    // The document itself may be anywhere.
    path: relative(root, document ?? root).replaceAll('\\', '/'),
    read(name) {
      const target = resolve(root, name)
      if (target !== document && !isFile(target)) throw unreadable(`There's no file ${name}.`)
      if (target !== document && !realpathSync(target).startsWith(join(root, sep)))
        throw unreadable(`${name} is outside of ${root}, so it isn't read.`)
      return textOf(name, () => readFileSync(target))
    },
  }
}

// ---- commits ------------------------------------------------------------------------------------

/** Runs git without a shell, and without fetching anything. */
const git = (args: readonly string[]): Uint8Array =>
  execFileSync('git', args, {
    env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })

function tryGit(args: readonly string[]) {
  try {
    return String(git(args)).trimEnd()
  } catch {
    return null
  }
}

function openCommit(ref: string, path: string): Source {
  if (ref.startsWith('-')) throw unreadable(`${ref} isn't a ref, because it starts with a dash.`)
  const commit = tryGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  if (commit === null) throw unreadable(unknownRef(ref, path))
  const prefix = path.startsWith('.') ? (tryGit(['rev-parse', '--show-prefix']) ?? '') : ''
  return {
    path: posix.normalize(prefix + path),
    read(name) {
      const entry = tryGit(['ls-tree', '-z', '--full-tree', commit, '--', name])
      const [, mode, id] = /^(\d+) \w+ ([\da-f]+)\t[^\0]*\0?$/.exec(entry ?? '') ?? []
      if (id === undefined)
        throw unreadable(
          `${ref} has no file ${name}. A path is relative to the repository's root, or to the current folder if it starts with ./.`,
        )
      if (mode !== '100644' && mode !== '100755')
        throw unreadable(`${name} in ${ref} is a link or a folder. Pass a file.`)
      const text = textOf(`${name} in ${ref}`, () => git(['cat-file', 'blob', id]))
      if (text.startsWith('version https://git-lfs.github.com/spec/'))
        throw unreadable(`${name} in ${ref} is in Git LFS. Check it out, and pass the file.`)
      return text
    },
  }
}

function unknownRef(ref: string, path: string) {
  if (tryGit(['rev-parse', '--is-shallow-repository']) !== 'true')
    return `There's no file ${ref}:${path}, and no commit ${ref}.`
  const branch = ref === 'FETCH_HEAD' ? '<branch>' : ref.replace(/^origin\//, '')
  const advice = /[~^]/.test(ref)
    ? 'Run git fetch --unshallow first.'
    : `Run git fetch --depth 1 origin ${branch}, and pass FETCH_HEAD:${path}.`
  return `There's no commit ${ref} in this shallow clone. ${advice}`
}
