import type { Node } from 'oxc-parser'

export type { Node }

/** An expression without its types and without `?.`. */
export function withoutTypes(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return withoutTypes(node.expression)
    default:
      return node
  }
}

/** A name with dots: `hv.version`, `module.exports.users`. Null for any other expression. */
export function dottedName(expression: Node): string | null {
  const node = withoutTypes(expression)
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression') return null
  const { object, property, computed } = node
  const objectName = dottedName(object)
  if (objectName === null) return null
  if (property.type === 'Identifier' && !computed) return `${objectName}.${property.name}`
  return property.type === 'Literal' ? `${objectName}.${String(property.value)}` : null
}
