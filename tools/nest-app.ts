// A new app of the Nest CLI: created, given the module of the README, built by `nest build`, started by `node dist/main`, called.
import { deepEqual } from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './packed.ts'
import { blocksOf } from './pages.ts'
import { startProgram } from './tutorial.ts'

/** The development dependencies that the build needs. A new Nest 12 app compiles with the types of its test runner. */
const building = new Set([
  '@nestjs/cli',
  '@nestjs/schematics',
  '@types/node',
  '@types/express',
  'typescript',
  'vitest',
])

/** Throws if the app doesn't build, or responds differently from what the README says. */
export async function checkNestApp(
  parent: string,
  release: string,
  tarballs: readonly string[],
): Promise<void> {
  mkdirSync(parent, { recursive: true })
  const flags = ['--skip-git', '--skip-install', '--package-manager', 'npm']
  await run(parent, 'npx', '--yes', `@nestjs/cli@${release}`, 'new', 'app', ...flags)
  const folder = join(parent, 'app')
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    object
  >
  const development = Object.entries(manifest['devDependencies']!).filter(([name]) =>
    building.has(name),
  )
  const slim = { ...manifest, devDependencies: Object.fromEntries(development) }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(slim))
  const { text } = blocksOf('packages/nest/README.md').find(({ file }) => file === 'app.module.ts')!
  writeFileSync(join(folder, 'src/app.module.ts'), text)
  const main = join(folder, 'src/main.ts')
  writeFileSync(
    main,
    readFileSync(main, 'utf8').replace('listen(3000)', 'listen(process.env.PORT ?? 3000)'),
  )

  await run(folder, 'npm', 'install', '--no-audit', '--no-fund', ...tarballs)
  await run(folder, join('node_modules', '.bin', 'nest'), 'build')
  const { port, stop } = await startProgram(folder, 'node dist/main')
  try {
    for (const [version, body] of [
      [1, { id: 7, name: 'Ann Lee' }],
      [2, { id: 7, first: 'Ann', last: 'Lee' }],
    ] as const) {
      const headers = { accept: `application/vnd.acme+json;version=${version}` }
      const response = await fetch(`http://localhost:${port}/api/users/7`, { headers })
      deepEqual(
        [await response.json(), response.headers.get('api-version')],
        [body, String(version)],
      )
    }
  } finally {
    await stop()
  }
}
