import type { CallExpression, Node } from 'oxc-parser'
import { type SourceFile, nameOf } from '../syntax/parse.ts'

/** What a route file calls the functions of `@hv/router`, and where it imports them. */
export interface CoreNames {
  /** The name of a helper in this file: `version`, `v` or `hv.version`; null when it is not imported. */
  readonly nameOf: (helper: string) => string | null
  readonly isCallOf: (node: Node, helper: string) => node is CallExpression
  /** The last name in `import { … }` or in `const { … } = require()`: another one can be added after it. */
  readonly lastImported: Node | null
}

/** Finds out what a route file calls the functions of `@hv/router`. */
export function coreNames({ program, text }: SourceFile): CoreNames {
  const names = new Map<string, string>()
  let wholeModule: string | null = null
  let lastImported: Node | null = null
  for (const statement of program.body)
    for (const { local, imported, node } of importsOf(statement)) {
      if (imported === '*') wholeModule ??= local
      else if (!names.has(imported)) names.set(imported, local)
      if (imported === 'api' || imported === 'version') lastImported = lastOf(statement) ?? node
    }
  const nameIn = (helper: string): string | null =>
    names.get(helper) ?? (wholeModule === null ? null : `${wholeModule}.${helper}`)
  return {
    nameOf: nameIn,
    isCallOf: (node, helper): node is CallExpression =>
      node.type === 'CallExpression' && text.slice(node.callee.start, node.callee.end) === nameIn(helper),
    lastImported,
  }
}

interface Imported {
  readonly local: string
  /** `*` for the whole module. */
  readonly imported: string
  readonly node: Node
}

const core = '@hv/router'

/** What a statement imports: everything from the core, and helpers of the same names from elsewhere. */
function importsOf(statement: Node): readonly Imported[] {
  if (statement.type === 'ImportDeclaration' && statement.importKind !== 'type')
    return statement.specifiers.flatMap((node): readonly Imported[] => {
      const local = node.local.name
      if (node.type === 'ImportSpecifier')
        return node.importKind === 'type' ? [] : [{ local, imported: nameOf(node.imported), node }]
      return statement.source.value === core ? [{ local, imported: '*', node }] : []
    })
  if (statement.type === 'TSImportEqualsDeclaration') {
    const { id, moduleReference: from } = statement
    const isCore = from.type === 'TSExternalModuleReference' && from.expression.value === core
    return isCore ? [{ local: id.name, imported: '*', node: id }] : []
  }
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ id, init }): readonly Imported[] => {
    if (!isRequireOfCore(init)) return []
    if (id.type === 'Identifier') return [{ local: id.name, imported: '*', node: id }]
    if (id.type !== 'ObjectPattern') return []
    return id.properties.flatMap((property): readonly Imported[] =>
      property.type === 'Property' && property.value.type === 'Identifier'
        ? [{ local: property.value.name, imported: nameOf(property.key), node: property }]
        : [],
    )
  })
}

function isRequireOfCore(node: Node | null): boolean {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require')
    return false
  const [specifier] = node.arguments
  return specifier?.type === 'Literal' && specifier.value === core
}

function lastOf(statement: Node): Node | null {
  if (statement.type === 'ImportDeclaration')
    return statement.specifiers.findLast(({ type }) => type === 'ImportSpecifier') ?? null
  if (statement.type !== 'VariableDeclaration') return null
  const { id } = statement.declarations.find(({ init }) => isRequireOfCore(init)) ?? {}
  return id?.type === 'ObjectPattern' ? (id.properties.at(-1) ?? null) : null
}
