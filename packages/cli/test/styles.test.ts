import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it('judges no style wrongly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hv-styles-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const judge = join(import.meta.dirname, 'styles/judge.ts')
  const root = resolve(import.meta.dirname, '../../..')
  const args = ['--conditions=@hv/source', '--import', 'tsx', judge, folder]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(stderr).toBe('')
  const { wrong, notChecked, all } = JSON.parse(stdout) as {
    wrong: string[]
    notChecked: number
    all: number
  }
  expect(wrong).toEqual([])
  expect(all).toBeGreaterThan(121)
  expect(notChecked).toBeLessThan(all * 0.7)
}, 120_000)
