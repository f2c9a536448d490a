import type { NoParent, Node } from 'refa'

/** Characters that cannot be part of a value: they mark its start and its end. */
const edge = 0xff_ff
/** The router refuses longer values. */
const maxLength = 256

/**
 * Whether a constraint, as the router compiles it, matches any value. Assertions that the library cannot resolve count as
 * true, so only a pattern that never matches is refused.
 *
 * @throws for patterns that the library does not support
 */
export async function canMatch(pattern: RegExp): Promise<boolean> {
  const { CharSet, CombinedTransformer, JS, NFA, Transformers, isDisjointWith, transform } = await import('refa')
  const maxCharacter = /[uv]/.test(pattern.flags) ? 0x10_ff_ff : 0xff_ff
  const edges = CharSet.fromCharacter(maxCharacter, edge)
  const inner = edges.negate()

  const { expression } = JS.Parser.fromLiteral(pattern).parse()
  const values = transform(
    { onCharacterClass: (node) => void (node.characters = node.characters.intersect(inner)) },
    expression,
  )
  // With an edge on both sides, an assertion at the end of the pattern looks at a character, too.
  const resolved = transform(
    new CombinedTransformer([
      Transformers.applyAssertions({ ignoreOrder: true, ignoreAmbiguity: true }),
      Transformers.removeDeadBranches(),
      Transformers.removeUnnecessaryAssertions(),
      Transformers.inline(),
    ]),
    between({ type: 'Alternation', alternatives: values.alternatives }),
  )
  const plain = transform(
    {
      onConcatenation: (node) => void (node.elements = node.elements.filter(({ type }) => type !== 'Assertion')),
    },
    resolved,
  )
  const anyValue = between({
    type: 'Quantifier',
    min: 1,
    max: maxLength,
    lazy: false,
    alternatives: [{ type: 'Concatenation', elements: [{ type: 'CharacterClass', characters: inner }] }],
  })
  return !isDisjointWith(NFA.fromRegex(plain, { maxCharacter }), NFA.fromRegex(anyValue, { maxCharacter }))

  function between(node: NoParent<Node> & { readonly type: 'Alternation' | 'Quantifier' }) {
    const edgeNode = () => ({ type: 'CharacterClass', characters: edges }) as const
    return {
      type: 'Expression' as const,
      alternatives: [{ type: 'Concatenation' as const, elements: [edgeNode(), node, edgeNode()] }],
    }
  }
}
