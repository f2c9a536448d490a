import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const users = resolve(import.meta.dirname, '..')
const parts = ['src', 'controllers', 'migrations', 'operations', 'package.json', 'tsconfig.json']

/** A copy of the service, so that its `.env`, `data/` and sources are the test's own. */
export function copyService(): string {
  const folder = mkdtempSync(join(tmpdir(), 'users-copy-'))
  copies.push(folder)
  for (const part of parts) cpSync(join(users, part), join(folder, part), { recursive: true })
  symlinkSync(join(users, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const copies: string[] = []
process.once('exit', () => {
  for (const folder of copies) rmSync(folder, { recursive: true, force: true })
})
