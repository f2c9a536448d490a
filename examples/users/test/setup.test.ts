// `npm run setup`, which runs before `npm start`: it asks the registry only when something has to be installed.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'

const repository = resolve(import.meta.dirname, '../../..')
const lockFile = `lockfileVersion: '9.0'

importers:

  .:
    devDependencies:
      a:
        version: 1.0.0

  packages/b:
    dependencies:
      a:
        version: 1.0.0

packages:
`

describe.skipIf(process.platform === 'win32')('npm run setup', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  /** Runs the script in a workspace with an `npx` that only reports; returns whether it was called, and the exit code. */
  function setUp(change: (file: (path: string, text: string) => void, folder: string) => void) {
    const folder = mkdtempSync(join(tmpdir(), 'users-setup-'))
    folders.push(folder)
    const file = (path: string, text: string) => {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    file('package.json', '{ "type": "module" }')
    file('pnpm-lock.yaml', lockFile)
    file('node_modules/.pnpm/lock.yaml', lockFile)
    file('packages/b/node_modules/.keep', '')
    file('bin/npx', '#!/bin/sh\necho "npx $@"\nexit 7\n')
    chmodSync(join(folder, 'bin/npx'), 0o755)
    mkdirSync(join(folder, 'tools'))
    const script = join(repository, 'tools/setup.js')
    if (existsSync(script)) cpSync(script, join(folder, 'tools/setup.js'))
    change(file, folder)
    const { status, stdout } = spawnSync(process.execPath, [join(folder, 'tools/setup.js')], {
      encoding: 'utf8',
      env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
    })
    return { installs: stdout.startsWith('npx --yes pnpm@'), status }
  }

  it('skips the installation when the lock file is installed', () => {
    expect(setUp(() => {})).toEqual({ installs: false, status: 0 })
  })
  it('installs when the lock file has changed, and passes the exit code on', () => {
    expect(setUp((file) => file('pnpm-lock.yaml', `${lockFile}\n`))).toEqual({
      installs: true,
      status: 7,
    })
  })
  it('installs when nothing is installed', () => {
    const remove = (_file: unknown, folder: string) =>
      rmSync(join(folder, 'node_modules'), { recursive: true })
    expect(setUp(remove)).toMatchObject({ installs: true })
  })
  it('installs when the modules of one package are missing', () => {
    const remove = (_file: unknown, folder: string) =>
      rmSync(join(folder, 'packages'), { recursive: true })
    expect(setUp(remove)).toMatchObject({ installs: true })
  })
})
