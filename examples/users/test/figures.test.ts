// The figures aren't measured here, only that they can be.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

it('`npm run figures` lists the figures', () => {
  const { VITEST: _vitest, ...env } = process.env
  const command = ['--conditions=@hv/source', '--import', 'tsx', 'bench/figures.ts']
  const { stdout, status } = spawnSync(process.execPath, command, {
    cwd: resolve(import.meta.dirname, '..'),
    env,
    encoding: 'utf8',
  })
  expect([stdout, status]).toEqual([expect.stringMatching(/^Choose one of .*goodput/), 0])
})
