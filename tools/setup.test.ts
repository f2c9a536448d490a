// What's printed when the install fails: `npm test` and `npm start` run it with `npm run -s`.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it.skipIf(process.platform === 'win32')(
  'says why the install failed, also when npm is silent',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'setup-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    for (const name of ['tools', 'bin']) mkdirSync(join(folder, name))
    cpSync(join(import.meta.dirname, 'setup.js'), join(folder, 'tools/setup.js'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'pnpm-lock.yaml'), '')
    // As npx: its errors aren't printed when npm is silent.
    writeFileSync(
      join(folder, 'bin/npx'),
      '#!/bin/sh\n[ $npm_config_loglevel = silent ] || echo self-signed >&2\nexit 7\n',
    )
    chmodSync(join(folder, 'bin/npx'), 0o755)
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'tools/setup.js')], {
      encoding: 'utf8',
      env: {
        PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
        npm_config_loglevel: 'silent',
      },
    })
    expect(status).toBe(7)
    expect(stderr.split('\n')).toEqual([
      'self-signed',
      expect.stringMatching(
        /^The packages aren't installed: npx --yes pnpm@\S+ install --frozen-lockfile failed \(exit code 7\)\.$/,
      ),
      '',
    ])
  },
)
