// `npm run matrix`: builds and packs the packages, and runs them from the tarballs alone on every supported release of
// Node, Bun, Deno, workerd, Express, Fastify, Nest and TypeScript. Prints the results as tables. It takes some minutes.
// `npm run matrix -- <folder>` takes the tarballs of a folder.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { writeProgram, writeSuite } from './contract-suite.ts'
import { checkNestApp } from './nest-app.ts'
import { checkNextApp } from './next-app.ts'
import { createApp, names, packAll, printed, root, routes, run, smokeFiles } from './packed.ts'
import { adaptersOf, variantsOf, writeBlock } from './pages.ts'
import { installNode, installRuntimes, nodeVersions } from './runtimes.ts'
import { checkStarted, followTutorial, tutorialPages } from './tutorial.ts'

/** The releases at both ends of the peer ranges. */
const express = ['4.16.0', '4', '5.0.0', '5']
const fastify = ['4.26.0', '4', '5.0.0', '5']
const nest = ['10.3.2', '10', '11', '12']
const compilers = ['5.4.5', '5.9.3', '6.0.3', '7.0.2']
const resolutions = ['node16', 'nodenext', 'bundler']
/** The pages whose code blocks every compiler checks, and what these blocks import. */
const pages = [
  ...tutorialPages,
  'docs/guide/testing-versioned-apis.md',
  ...['router', 'express', 'fetch', 'client', 'openapi', 'openapi-diff'].map(
    (name) => `packages/${name}/README.md`,
  ),
]
const libraries = [
  'express@5',
  'fastify@5',
  'hono@4',
  '@hono/node-server@2',
  '@sinclair/typebox@0.34',
  'zod@4',
  '@types/express@5',
  '@types/node@20',
]

process.env['TEST_ALL'] = '1' // the whole contract suite everywhere
const temp = mkdtempSync(join(tmpdir(), 'hv-matrix-'))
process.on('exit', () => rmSync(temp, { recursive: true, force: true }))

const results: { row: string; column: string; result: string }[] = []
/** Runs one cell of the table. A failure doesn't end the command. */
async function check(row: string, column: string, body: () => Promise<string>): Promise<void> {
  let result: string
  try {
    result = await body()
  } catch (error) {
    result = 'FAILED'
    process.exitCode = 1
    console.error(`${row}, ${column}:\n${(error as Error).message}`)
  }
  results.push({ row, column, result })
  console.log(`${row}, ${column}: ${result}`)
}

const tarballs =
  process.argv[2] === undefined
    ? await packAll(root, join(temp, 'packed'))
    : tarballsIn(process.argv[2])
function tarballNamed(name: string): string {
  const found = tarballs.find((path) => new RegExp(`^hv-${name}-\\d`).test(basename(path)))
  if (found === undefined) throw new Error(`There's no tarball of ${name}.`)
  return found
}
/** What an app with an adapter installs from here. */
const packed = (adapter: string): string[] => [
  tarballNamed('router'),
  tarballNamed(`router-${adapter}`),
]

// ---- the contract suite and the smoke tests on Node ----------------------------------------------

const apps = join(temp, 'apps')
await createApp(apps, {}, ['vitest@4.1.12'])
/** Runs a suite that is written to a folder. Returns how many tests have passed. */
async function runSuite(
  node: string,
  folder: string,
  file: string,
  ...options: string[]
): Promise<string> {
  const report = join(folder, 'report.json')
  const vitest = join(apps, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=json', '--reporter=dot', `--outputFile.json=${report}`]
  await run(folder, node, vitest, 'run', file, '--root', folder, ...reporters, ...options)
  const { success, numPassedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<
    string,
    unknown
  >
  if (success !== true || numPassedTests === 0)
    throw new Error(`The report is ${JSON.stringify({ numPassedTests })}.`)
  return `${Number(numPassedTests)} passed`
}

const releasesOf = (release: string) => `import fastify from 'fastify'
import cors from '@fastify/cors'
export const latest = { version: '${release}', fastify, cors }
export const releases = [latest]`
const suites: [row: string, folder: string][] = []
for (const release of express) {
  const folder = join(apps, `express-${release}`)
  await createApp(folder, {}, [...packed('express'), `express@${release}`, 'cors@2'])
  await writeSuite('express', 'contract.test.ts', folder)
  suites.push([`Contract suite, Express ${versionIn(folder, 'express')}`, folder])
}
for (const release of fastify) {
  const folder = join(apps, `fastify-${release}`)
  const cors = release.startsWith('4') ? '@fastify/cors@9' : '@fastify/cors@11'
  await createApp(folder, {}, [...packed('fastify'), `fastify@${release}`, cors])
  await writeSuite('fastify', 'contract.test.ts', folder, { 'releases.ts': releasesOf(release) })
  suites.push([`Contract suite, Fastify ${versionIn(folder, 'fastify')}`, folder])
}
for (const release of nest) {
  const folder = join(apps, `nest-${release}`)
  const ours = ['express', 'fastify'].map((name) => tarballNamed(`router-${name}`))
  const theirs = ['common', 'core', 'platform-express', 'platform-fastify'].map(
    (name) => `@nestjs/${name}@${release}`,
  )
  await createApp(folder, {}, [
    ...packed('nest'),
    ...ours,
    ...theirs,
    'reflect-metadata@0.2',
    'rxjs@7',
  ])
  await writeSuite('nest', 'contract.test.ts', folder)
  suites.push([`Contract suite, Nest ${versionIn(folder, '@nestjs/core')}`, folder])
}
const onFetch = join(apps, 'fetch')
await createApp(onFetch, {}, [...packed('fetch'), '@hono/node-server@2', 'hono@4'])
await writeSuite('fetch', 'contract.test.ts', onFetch)
suites.push(['Contract suite, fetch', onFetch])
const smoke = join(temp, 'smoke')
const routeFile = {
  'src/routes.ts': `import { ${names} } from '@hv/router'\nexport const routes = ${routes}\n`,
}
await createApp(smoke, { ...smokeFiles, ...routeFile }, [...tarballs, 'express@5', 'fastify@5'])

for (const version of nodeVersions) {
  const node = await installNode(version)
  const column = `Node ${version}`
  for (const file of Object.keys(smokeFiles))
    await check(`Express and Fastify serve from ${file}`, column, async () => {
      const output = await run(smoke, node, file)
      if (output !== printed) throw new Error(`It prints:\n${output}`)
      return 'passed'
    })
  await check('hv-router routes', column, async () => {
    const output = await run(smoke, node, 'node_modules/@hv/router-cli/dist/hv-router.js', 'routes')
    if (!output.includes('inherited from 1')) throw new Error(`It prints:\n${output}`)
    return 'passed'
  })
  for (const [row, folder] of suites)
    await check(row, column, () => runSuite(node, folder, 'contract.test.js'))
}

// ---- the contract suite on Bun, Deno and workerd --------------------------------------------------

const runtimes = await installRuntimes()
for (const name of ['server', 'worker'] as const) await writeProgram(name, onFetch)
await writeSuite('fetch', 'runtimes.test.ts', onFetch, {
  'programs.ts': `const programs = ${JSON.stringify({ runtimes, folder: onFetch })}
export const buildPrograms = async () => ({ ...programs, remove() {} })`,
})
const tested = [
  ['Bun', runtimes.bun, /[\d.]+/],
  ['Deno', runtimes.deno, /deno ([\d.]+)/],
  ['workerd', runtimes.workerd, /[\d-]+/],
] as const
for (const [name, program, pattern] of tested) {
  const found = pattern.exec(await run(temp, program, '--version'))
  const column = `${name} ${found?.at(-1)}`
  await check('Contract suite, fetch', column, () =>
    runSuite(process.execPath, onFetch, 'runtimes.test.js', '-t', `on ${name}`),
  )
}

// ---- the tutorial ---------------------------------------------------------------------------------

for (const adapter of adaptersOf(tutorialPages[0]))
  await check('The tutorial, in an empty folder', adapter, async () => {
    const folder = join(temp, `tutorial-${adapter}`)
    const tarballOf = (name: string) => tarballNamed(name.slice('@hv/'.length))
    let count = 0
    for (const page of tutorialPages)
      count += await followTutorial(page, adapter, folder, { tarballOf, onStart: checkStarted })
    return `${count} requests answered`
  })

await check('The recipes for coding agents, in an empty folder', 'Express', async () => {
  const tarballOf = (name: string) => tarballNamed(name.slice('@hv/'.length))
  const count = await followTutorial('docs/agents.md', '', join(temp, 'recipes'), { tarballOf })
  return `${count} requests answered`
})

// ---- Next.js --------------------------------------------------------------------------------------

const next = join(temp, 'next')
await check('The recipe, in an app of its own', 'Next.js', async () => {
  await checkNextApp(next, packed('fetch'))
  return `passed on ${versionIn(next, 'next')}`
})

// ---- Nest -----------------------------------------------------------------------------------------

for (const release of ['10', '11', '12'])
  await check('A new app of the Nest CLI', `Nest CLI ${release}`, async () => {
    await checkNestApp(join(temp, `nest-cli-${release}`), release, [
      ...packed('nest'),
      tarballNamed('router-express'),
    ])
    return 'passed'
  })

// ---- TypeScript -----------------------------------------------------------------------------------

const typed = join(temp, 'typed')
const aliases = compilers.map((version) => `typescript-${version}@npm:typescript@${version}`)
await createApp(typed, {}, [...tarballs, ...libraries, ...aliases])
/** The message that the compiler must print about each file that must not compile. */
const refused = new Map<string, string>()
for (const page of pages)
  for (const [variant, blocks] of variantsOf(page))
    for (const [index, block] of blocks.entries()) {
      if (block.language !== 'ts') continue
      const folder = join(page.replace('/README', '').slice(0, -'.md'.length), variant)
      const path = writeBlock(
        { ...block, text: `${block.text}\nexport {}\n` },
        index,
        join(typed, folder),
      )
      if (block.fails) refused.set(path.slice(typed.length + 1), blocks[index + 1]!.text.trim())
    }
writeFileSync(
  join(typed, 'common.cts'),
  "import { api, version } from '@hv/router'\nexport = { api, version }\n",
)
// Handlers and hooks that declare their request compile as native routes, beside the adapter, and as versioned ones.
writeFileSync(
  join(typed, 'handlers.ts'),
  `import { api, resources, version } from '@hv/router'
import { action, createRouter } from '@hv/router-fastify'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
const create = (request: FastifyRequest<{ Body: { name: string } }>, reply: FastifyReply) => reply.send(request.body.name)
const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'create' })))
fastify().post('/users', create)
fastify().register(createRouter(routes, { 1: { users: { create } } }))
fastify().register(createRouter(routes, { 1: { users: { create: action({ handler: create }) } } }))
const preHandler = async (request: FastifyRequest<{ Body: { name: string } }>) => void request.body.name
fastify().post('/people', { preHandler }, create)
fastify().register(createRouter(routes, { 1: { users: { create: { preHandler: [preHandler], handler: create } } } }))
`,
)
for (const resolution of resolutions) {
  const isBundler = resolution === 'bundler'
  const options = {
    target: 'es2022',
    lib: ['es2023', 'dom'],
    module: isBundler ? 'esnext' : resolution,
    moduleResolution: resolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  }
  const include = ['docs', 'packages', 'handlers.ts', ...(isBundler ? [] : ['common.cts'])]
  writeFileSync(
    join(typed, `${resolution}.json`),
    JSON.stringify({ compilerOptions: options, include }),
  )
  for (const version of compilers)
    await check(`Types, "moduleResolution": "${resolution}"`, `TypeScript ${version}`, async () => {
      const tsc = join(typed, `node_modules/typescript-${version}/bin/tsc`)
      const arguments_ = [tsc, '-p', `${resolution}.json`, '--pretty', 'false']
      const output = await run(typed, process.execPath, ...arguments_).catch(
        (error: Error) => error.message,
      )
      const errors = output.split('\n').filter((line) => /^\S+\.[cm]?ts\(/.test(line))
      for (const [path, message] of refused)
        if (!errors.some((line) => line.startsWith(path) && line.includes(message)))
          throw new Error(`${path} must not compile with "${message}".\n${output}`)
      const others = errors.filter((line) => !refused.has(line.slice(0, line.indexOf('('))))
      if (others.length > 0) throw new Error(output)
      return 'passed'
    })
}

printTables()

// ---- what these steps share -----------------------------------------------------------------------

function tarballsIn(folder: string): readonly string[] {
  return readdirSync(folder).map((name) => join(folder, name))
}

function versionIn(folder: string, name: string): string {
  const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** Prints the results as Markdown tables: Node, the other runtimes, the tutorial, Next.js, Nest, the compilers. */
function printTables(): void {
  const kinds = [
    /^Node/,
    /^(?:Bun|Deno|workerd)/,
    /^(?:Fastify|Express|fetch)$/,
    /^Next/,
    /^Nest/,
    /^TypeScript/,
  ]
  for (const kind of kinds) {
    const shown = results.filter(({ column }) => kind.test(column))
    const columns = [...new Set(shown.map(({ column }) => column))]
    const lines = [...new Set(shown.map(({ row }) => row))].map((row) => [
      row,
      ...columns.map(
        (column) => shown.find((one) => one.row === row && one.column === column)?.result ?? '',
      ),
    ])
    const widths = ['', ...columns].map((head, i) =>
      Math.max(head.length, ...lines.map((line) => line[i]!.length)),
    )
    const print = (cells: readonly string[]) =>
      console.log(`| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`)
    console.log()
    print(['', ...columns])
    print(widths.map((width) => '-'.repeat(width)))
    for (const line of lines) print(line)
  }
}
