// Parses files in a process of its own, because the parser is native code that recurses: a file
// that's nested too deeply ends its process without an error. It's JavaScript, so that Node 20 can
// run it before it's built.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

/** How many objects and lists may be inside each other: a nested block is one of each. */
const maxLevels = 2_000

const isObject = (value) => typeof value === 'object' && value !== null

/** Goes through a syntax tree level by level, so that it doesn't recurse itself. */
function isTooDeep(program) {
  let level = [program]
  for (let count = 0; level.length > 0; count++) {
    if (count > maxLevels) return true
    level = level.flatMap((value) => Object.values(value).filter(isObject))
  }
  return false
}

/** JSON has no number like `1n`. */
const withoutBigInts = (_key, value) => (typeof value === 'bigint' ? String(value) : value)

for (const { path, text, lang } of JSON.parse(readFileSync(0, 'utf8'))) {
  const { program, module, errors } = parseSync(path, text, { lang, preserveParens: false })
  const answer = isTooDeep(program) ? null : { program, module, errors }
  writeFileSync(1, `${JSON.stringify(answer, withoutBigInts)}\n`)
}
