// `node --import tsx tools/rename-scope.ts @acme`: moves every package from the scope @hv to another one, if npm gives the
// owner no other choice. The command, error codes and URNs keep their names. It rewrites and formats the files that Git
// knows, and renews the lock file.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm, root, run } from './packed.ts'

const [scope] = process.argv.slice(2)
if (scope === undefined || !/^@[a-z\d][a-z\d-]*$/.test(scope)) {
  console.error('Name the scope: node --import tsx tools/rename-scope.ts @acme')
  process.exit(2)
}

/** Whatever names the scope: `@hv/router`, `@hv\/router` in a regular expression, `node_modules/@hv'`. This file does as well. */
const oldScope = /@hv\b/g
const files = (await run(root, 'git', 'ls-files', '-z')).split('\0').filter(Boolean)
let changed = 0
for (const file of files) {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  const renamed = text.replace(oldScope, scope)
  if (renamed === text) continue
  writeFileSync(path, renamed)
  changed++
}
await run(root, 'npx', 'oxfmt')
await pnpm(root, 'install')
console.log(`${changed} files name ${scope} now. Look through git diff, and run npm test.`)
