/** The class name that belongs to a controller: `admin/line_items` → `LineItemsController`. */
export const classNameOf = (key: string): string => `${wordsOf(key).map(capitalized).join('')}Controller`

/** The names under which a file may export its controller, best first. */
export function usualNames(key: string, version: number): readonly string[] {
  const base = wordsOf(key).map(capitalized).join('')
  const [first = '', ...rest] = wordsOf(key)
  const camel = [first, ...rest.map(capitalized)].join('')
  const plain = [`${base}Controller`, `${camel}Controller`, `create${base}Controller`, camel, base]
  const numbered = plain.flatMap((name) => [
    `${name}V${version}`,
    `V${version}${name}`,
    `v${version}${capitalized(name)}`,
  ])
  return [
    ...plain,
    ...numbered,
    `${base}V${version}Controller`,
    `${camel}V${version}Controller`,
    'Controller',
    'controller',
  ]
}

const wordsOf = (key: string): readonly string[] => key.slice(key.lastIndexOf('/') + 1).split(/[_-]/)
const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
