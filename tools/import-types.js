// `node ../../tools/import-types.js typebox`, after tsup: puts types like `import('typebox').TSchema` back where they were in
// a package's declarations. tsup moves them into an import at the top, which doesn't compile if the package isn't installed,
// while a type on its own line has a comment that makes the compiler ignore it.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const name = process.argv[2]
const imports = new RegExp(`^import (\\* as ${name} from )?'${name}';\n`, 'gm')
const types = new RegExp(`(?<![\\w'"])${name}\\.(?=[A-Z])`, 'g')
for (const file of readdirSync('dist')) {
  if (!/\.d\.c?ts$/.test(file)) continue
  const path = join('dist', file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(imports, '').replace(types, `import('${name}').`))
}
