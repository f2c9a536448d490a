// Moves the code of a file into the one file that imports it.
import { dirname, relative, resolve, sep } from 'node:path'
import MagicString from 'magic-string'
import type { ExportNamedDeclaration, Node } from 'oxc-parser'
import { nameOf, namesIn } from '../../modules/scope.ts'
import { type SourceFile, placeOf } from '../../syntax/parse.ts'
import { styleOf } from '../../syntax/style.ts'
import { walk } from '../../syntax/walk.ts'
import { CannotFold } from './cannot-fold.ts'
import { dropExports } from './drop-exports.ts'
import { type ImportOf, importIn } from './imported.ts'
import { endOfLine } from './end-of-line.ts'
import { declarationOf, rename } from './rename.ts'

/**
 * The text of a file with the code of a file that it imports, in place of the import.
 *
 * @param isParent - whether an import of the file leads to the parent
 * @throws CannotFold
 */
export function fold(file: SourceFile, parent: SourceFile, isParent: (specifier: string) => boolean): string {
  const imports = file.program.body.flatMap((statement) => importIn(statement) ?? [])
  const used = imports.filter(({ from }) => isParent(from))
  const wanted = used.find(({ reexports }) => !reexports) ?? used[0]
  // `export { a } from` the parent, beside an import of it.
  const passedOn = used.flatMap(({ statement, reexports }) =>
    reexports && wanted?.reexports === false && statement.type === 'ExportNamedDeclaration' ? [statement] : [],
  )
  const second = used.find(
    ({ statement }) => statement !== wanted?.statement && !passedOn.some((one) => one === statement),
  )
  if (wanted === undefined)
    throw new CannotFold('it is imported in a way that cannot be followed', placeOf(file, importerOf(file, isParent)))
  if (second !== undefined) throw new CannotFold('it is imported more than once', placeOf(file, second.statement))

  const { newline, end: semicolon } = styleOf(file)
  const source = passedOn.length === 0 ? reexportedBy(parent, wanted) : null
  if (source !== null) return withSource(file, wanted, rebased(file, parent, source))
  assertReexportsAll(file, parent, wanted)
  const names = new Map(wanted.names)
  for (const name of passedOn.flatMap(({ specifiers }) => specifiers.map(({ local }) => nameOf(local))))
    if (!names.has(name)) names.set(name, name)
  const moved = moveCode(file, parent, { ...wanted, names })
  const text = new MagicString(file.text)
  for (const statement of passedOn)
    text.overwrite(statement.start, statement.end, exportOf(statement, names) + semicolon)
  const last = imports.findLast(({ statement }) => !passedOn.some((one) => one === statement))!.statement
  const header = moved.imports.join(newline)
  const start = wanted.statement.start
  if (last === wanted.statement || wanted.reexports) {
    text.overwrite(start, wanted.statement.end, [header, moved.body].filter(Boolean).join(newline + newline))
  } else {
    const end = endOfLine(file.text, wanted.statement.end)
    if (header === '') text.remove(start, end)
    else text.overwrite(start, wanted.statement.end, header)
    text.appendLeft(last.end, newline + newline + moved.body)
  }
  return text.toString()
}

/** `export { a } from './parent.js'` with the code of the parent in the same file. */
function exportOf({ exportKind, specifiers }: ExportNamedDeclaration, names: ReadonlyMap<string, string>): string {
  const written = specifiers.map((specifier) => {
    const [local, exported] = [names.get(nameOf(specifier.local))!, nameOf(specifier.exported)]
    const type = exportKind !== 'type' && specifier.exportKind === 'type' ? 'type ' : ''
    return type + (local === exported ? local : `${local} as ${exported}`)
  })
  return `export ${exportKind === 'type' ? 'type ' : ''}{ ${written.join(', ')} }`
}

/** The statement that imports the parent. */
const importerOf = (file: SourceFile, isParent: (specifier: string) => boolean): Node =>
  file.program.body.find((statement) => {
    let found = false
    walk(statement, (node) => {
      const source = sourceOf(node)
      found ||= source?.type === 'Literal' && typeof source.value === 'string' && isParent(source.value)
    })
    return found
  }) ?? file.program

/** The file that a parent of one statement exports again, with all names that are imported. Null for another parent. */
function reexportedBy(parent: SourceFile, { names, reexports }: ImportOf): string | null {
  const [statement, ...others] = parent.program.body
  const found = statement === undefined || others.length > 0 || reexports ? null : importIn(statement)
  if (found?.reexports !== true) return null
  const has = (name: string): boolean => (found.names.size === 0 ? name !== 'default' : found.names.has(name))
  return [...names.keys()].every(has) && !names.has('*') ? found.from : null
}

function withSource(file: SourceFile, { source }: ImportOf, specifier: string): string {
  const text = new MagicString(file.text)
  return text.overwrite(source.start + 1, source.end - 1, specifier).toString()
}

/** The code that is moved exports all that it exported. */
function assertReexportsAll(file: SourceFile, parent: SourceFile, { names, reexports, statement }: ImportOf): void {
  if (!reexports || names.size === 0) return
  const left = exportedNames(parent).find((name) => !names.has(name))
  if (left !== undefined) throw new CannotFold(`its export ${left} is not exported again`, placeOf(file, statement))
}

const exportedNames = ({ program }: SourceFile): readonly string[] =>
  program.body.flatMap((statement) => {
    if (statement.type === 'ExportDefaultDeclaration') return ['default']
    if (statement.type === 'ExportAllDeclaration') return ['*']
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { declaration, specifiers } = statement
    return declaration === null ? specifiers.map(({ exported }) => nameOf(exported)) : declaredNames(declaration)
  })

/** The imports and the rest of the parent, as the file has to write them. */
function moveCode(file: SourceFile, parent: SourceFile, wanted: ImportOf): { imports: string[]; body: string } {
  const text = new MagicString(parent.text)
  rebaseSpecifiers(file, parent, text)
  const exported = wanted.reexports ? new Map<string, string>() : dropExports(parent, text, wanted.names)
  const present = new Set<string>()
  walk(file.program, (node) => {
    if (node.type === 'Identifier') present.add(node.name)
  })
  const own = topLevelNames(parent)
  for (const name of own) {
    const to = exported.get(name) ?? (present.has(name) && !wanted.reexports ? freeName(name, present, own) : name)
    if (to === name || isShared(file, parent, name)) continue
    if (own.has(to)) throw new CannotFold(`it declares ${to} too`, placeOf(parent, parent.program))
    rename(parent, text, name, to)
  }
  return { imports: takeImports(file, parent, text), body: takeBody(file, parent, text) }
}

const freeName = (name: string, ...taken: readonly ReadonlySet<string>[]): string => {
  let free = `${name}Before`
  while (taken.some((names) => names.has(free))) free += '_'
  return free
}

/** The names that statements other than imports declare. */
function topLevelNames({ program }: SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  for (const statement of program.body) {
    if (importIn(statement) !== null) continue
    for (const name of declaredNames(declarationOf(statement) ?? statement)) names.add(name)
  }
  return names
}

function declaredNames(declaration: Node): readonly string[] {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.flatMap(({ id }) => namesIn(id))
  const { id } = declaration as { id?: Node | null }
  return id?.type === 'Identifier' ? [id.name] : []
}

/** A statement that both files contain, such as an interface. */
const sharedStatements = (file: SourceFile, parent: SourceFile): readonly Node[] => {
  const texts = new Set(file.program.body.map(({ start, end }) => file.text.slice(start, end)))
  return parent.program.body.filter(({ start, end }) => texts.has(parent.text.slice(start, end)))
}
const isShared = (file: SourceFile, parent: SourceFile, name: string): boolean =>
  sharedStatements(file, parent).some((statement) =>
    declaredNames(declarationOf(statement) ?? statement).includes(name),
  )

/** A specifier of the parent, as the file has to write it. */
function rebased(file: SourceFile, parent: SourceFile, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  const target = resolve(dirname(parent.path), specifier)
  const path = relative(dirname(file.path), target).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

/** Relative imports of the parent, as the file has to write them. */
function rebaseSpecifiers(file: SourceFile, parent: SourceFile, text: MagicString): void {
  walk(parent.program, (node) => {
    const source = sourceOf(node)
    if (source?.type !== 'Literal' || typeof source.value !== 'string' || !source.value.startsWith('.')) return
    const specifier = rebased(file, parent, source.value)
    if (specifier !== source.value) text.overwrite(source.start + 1, source.end - 1, specifier)
  })
}

function sourceOf(node: Node): Node | null | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return node.source
    case 'TSExternalModuleReference':
      return node.expression
    case 'CallExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'require' ? node.arguments[0] : null
    default:
      return null
  }
}

/** The imports of the parent that the file lacks. Takes all of them out of the text. */
function takeImports(file: SourceFile, parent: SourceFile, text: MagicString): string[] {
  const present = new Map<string, string>() // local name → what it imports
  for (const statement of file.program.body) {
    const found = importIn(statement)
    if (found?.reexports === true) continue
    for (const [name, local] of found?.names ?? []) present.set(local, `${targetOf(file, found!)} ${name}`)
  }
  const lines: string[] = []
  for (const statement of parent.program.body) {
    const found = importIn(statement)
    if (found === null || found.reexports) continue
    const lacking = [...found.names].filter(([name, local]) => {
      const known = present.get(local)
      if (known === undefined) return true
      if (known === `${targetOf(parent, found)} ${name}`) return false
      throw new CannotFold(`both files import ${local}, from different modules`, placeOf(parent, statement))
    })
    if (lacking.length > 0) {
      if (lacking.length < found.names.size)
        keepSpecifiers(parent, found, new Set(lacking.map(([, local]) => local)), text)
      lines.push(text.slice(statement.start, statement.end))
    }
    text.remove(statement.start, endOfLine(parent.text, statement.end))
  }
  return lines
}

/** Keeps some of the names between the braces of an import, as they are written. */
function keepSpecifiers(file: SourceFile, found: ImportOf, lacking: ReadonlySet<string>, text: MagicString): void {
  const all: Node[] = []
  const kept: Node[] = []
  walk(found.statement, (node) => {
    const local = node.type === 'ImportSpecifier' ? node.local : node.type === 'Property' ? node.value : null
    if (local?.type !== 'Identifier') return
    all.push(node)
    if (lacking.has(local.name)) kept.push(node)
  })
  if (kept.length < lacking.size)
    throw new CannotFold(`both files import ${[...found.names.values()].join(', ')}`, placeOf(file, found.statement))
  const written = kept.map(({ start, end }) => file.text.slice(start, end)).join(', ')
  text.overwrite(all[0]!.start, all.at(-1)!.end, written)
}

const targetOf = ({ path }: SourceFile, { from }: ImportOf): string =>
  from.startsWith('.') ? resolve(dirname(path), from) : from

function takeBody(file: SourceFile, parent: SourceFile, text: MagicString): string {
  for (const statement of sharedStatements(file, parent))
    if (importIn(statement) === null) text.remove(statement.start, endOfLine(parent.text, statement.end))
  return text.toString().trim()
}
