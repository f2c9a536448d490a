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

/** Finds out what a route file calls the functions of `@hv/router`. Helpers of the same names may come from elsewhere. */
export function coreNames({ program, text }: SourceFile): CoreNames {
  const names = new Map<string, string>()
  let wholeModule: string | null = null
  let lastImported: Node | null = null
  const add = (imported: string, local: string, last: Node | undefined): void => {
    if (!names.has(imported)) names.set(imported, local)
    if (imported === 'api' || imported === 'version') lastImported = last ?? null
  }
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration' && statement.importKind !== 'type') {
      const named = statement.specifiers.filter((one) => one.type === 'ImportSpecifier')
      for (const one of named) if (one.importKind !== 'type') add(nameOf(one.imported), one.local.name, named.at(-1))
      const whole = statement.specifiers.find((one) => one.type !== 'ImportSpecifier')
      if (isCore(statement.source)) wholeModule ??= whole?.local.name ?? null
    } else if (statement.type === 'TSImportEqualsDeclaration') {
      const { id, moduleReference: from } = statement
      if (from.type === 'TSExternalModuleReference' && isCore(from.expression)) wholeModule ??= id.name
    } else if (statement.type === 'VariableDeclaration')
      for (const { id, init } of statement.declarations) {
        if (init?.type !== 'CallExpression' || !isCore(init.arguments[0])) continue
        if (id.type === 'Identifier') wholeModule ??= id.name
        else if (id.type === 'ObjectPattern')
          for (const property of id.properties)
            if (property.type === 'Property' && property.value.type === 'Identifier')
              add(nameOf(property.key), property.value.name, id.properties.at(-1))
      }
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

const isCore = (node: Node | undefined): boolean => node?.type === 'Literal' && node.value === '@hv/router'
