// The packages as npm serves them: packs, checks and installs them. Used by the install test and by `npm run release -- dry`.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { inspect, promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'

export const root = resolve(import.meta.dirname, '..')
const execute = promisify(execFile)

/** Runs a command and returns what it prints. Throws with its output when it fails. */
export async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    return (
      await execute(command, args, {
        cwd,
        env: { ...process.env, NODE_OPTIONS: '' },
        maxBuffer: 2 ** 24,
      })
    ).stdout
  } catch (error) {
    const { stdout, stderr, message } = error as { stdout: string; stderr: string; message: string }
    throw new Error(`${message}\n${stdout}\n${stderr}`, { cause: error })
  }
}
export const pnpm = (cwd: string, ...args: string[]): Promise<string> =>
  run(cwd, 'npx', '--yes', 'pnpm@12.21.0', ...args)

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly [field: string]: unknown
}
/** The manifests of the published packages, by folder. */
export const publishedPackages = (repository: string = root): ReadonlyMap<string, Manifest> =>
  new Map(
    readdirSync(join(repository, 'packages'))
      .map((folder) => join('packages', folder))
      .map(
        (path) =>
          [path, JSON.parse(readFileSync(join(repository, path, 'package.json'), 'utf8'))] as const,
      )
      .filter(([, manifest]) => manifest.private !== true),
  )

/** Builds and packs every published package of a checkout. Returns the paths of the tarballs. */
export async function packAll(repository: string, destination: string): Promise<readonly string[]> {
  await pnpm(repository, '-r', '--filter', './packages/*', 'run', 'build')
  mkdirSync(destination, { recursive: true })
  const filters = [...publishedPackages(repository).keys()].flatMap((path) => [
    '--filter',
    `./${path}`,
  ])
  await pnpm(repository, '-r', ...filters, 'pack', '--pack-destination', destination)
  return readdirSync(destination).map((name) => join(destination, name))
}

/** Checks a tarball with publint and are-the-types-wrong. Throws with what they find. */
export async function checkTarball(tarball: string): Promise<void> {
  await run(root, process.execPath, 'node_modules/publint/src/cli.js', '--strict', tarball)
  if (basename(tarball).includes('-router-cli-')) return // a program: it has no types
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  if (result.types === false) throw new Error(`${tarball} has no types.`)
  const { problems } = result
  if (problems.length > 0)
    throw new Error(`The types of ${tarball} are wrong.\n${inspect(problems)}`)
}

/** Writes an app outside the workspace and installs packages into it, in the folders that npm would choose. */
export async function createApp(
  folder: string,
  files: Readonly<Record<string, string>>,
  packages: readonly string[],
  installer: 'npm' | 'pnpm' = 'npm',
): Promise<void> {
  const manifest = JSON.stringify({ name: 'stranger', private: true, type: 'module' })
  const settings = installer === 'pnpm' && { 'pnpm-workspace.yaml': 'nodeLinker: hoisted\n' }
  for (const [name, text] of Object.entries({ 'package.json': manifest, ...settings, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  if (installer === 'npm')
    await run(folder, 'npm', 'install', '--no-audit', '--no-fund', ...packages)
  else await pnpm(folder, 'add', '--ignore-scripts', '--prefer-offline', ...packages)
}

/** A route file with two versions, and the names that it imports. */
export const routes = `api({ vendorString: 'acme' },
  version(1, cache({ as: 'v1' }, resources('users', { only: ['index', 'show'] }))),
  version(2, inherit({ from: 'v1' })))`
export const names = 'api, cache, hrefs, inherit, resources, version'

/** Serves both versions by both adapters, and prints what one URL answers. */
const body = `
const routes = ${routes}
const on = (n) => ({ index: (_req, res) => res.send({ v: n }), show: (req, res) => res.send({ v: n, id: req.params.id }) })
const controllers = { 1: { users: on(1) }, 2: { users: on(2) } }
async function main() {
  const server = await new Promise((resolve) => { const s = express().use(createExpress(routes, controllers)).listen(0, '127.0.0.1', () => resolve(s)) })
  const app = fastify()
  app.register(createFastify(routes, controllers))
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (const { port } of [server.address(), app.server.address()])
    for (const n of [1, 2]) {
      const answer = await fetch('http://127.0.0.1:' + port + hrefs(routes).users.show({ id: 7 }), { headers: { accept: 'application/vnd.acme+json;version=' + n } })
      console.log(await answer.text())
    }
  try { createExpress(routes, {}) } catch (error) { console.log(error instanceof RouterError, error.code) }
  server.close(); await app.close()
}
main()
`
/** What both versions answer. */
export const answers = '{"v":1,"id":"7"}\n{"v":2,"id":"7"}\n'
/** What each program of `smokeFiles` prints. */
export const printed = `${answers}${answers}true HV_MISSING_ACTIONS\n`
/** Programs that serve with Express and Fastify. */
export const smokeFiles: Readonly<Record<string, string>> = {
  'esm.mjs': `import express from 'express'
import fastify from 'fastify'
import { ${names}, RouterError } from '@hv/router'
import { createRouter as createExpress } from '@hv/router-express'
import { createRouter as createFastify } from '@hv/router-fastify'${body}`,
  'cjs.cjs': `const express = require('express')
const fastify = require('fastify')
const { ${names}, RouterError } = require('@hv/router')
const { createRouter: createExpress } = require('@hv/router-express')
const { createRouter: createFastify } = require('@hv/router-fastify')${body}`,
  // A route file written as ES module, an adapter loaded as CommonJS: two copies of the core must agree.
  'mixed.cjs': `const express = require('express')
const fastify = require('fastify')
const { createRouter: createExpress } = require('@hv/router-express')
const { createRouter: createFastify } = require('@hv/router-fastify')
import('@hv/router').then(({ ${names}, RouterError }) => {${body}})`,
}
