import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assertInside, writeInside } from '../src/project/files.ts'
import { createProject } from './project.ts'

/** A folder that holds a project and what it must leave alone. */
function createWorkspace() {
  const { folder, ...workspace } = createProject({
    'outside/file': 'theirs',
    'app/package.json': '{}',
    'app/file': 'ours',
  })
  const root = join(folder, 'app')
  const write = (path: string) => writeInside({ root, path: join(root, path), text: 'new' })
  return { ...workspace, root, write }
}

it.each(['file', 'new', 'a/b/new'])('writes %s', (path) => {
  const { write, read, list } = createWorkspace()
  write(path)
  expect(read(`app/${path}`)).toBe('new')
  expect(list('app').filter((name) => name.startsWith('.'))).toEqual([])
})

const isOutside = "isn't inside the project, because a symbolic link leads out of it."
it.each<[what: string, link: string, target: string, path: string, message: string]>([
  ['a link', 'link', '../outside/file', 'link', 'link is a symbolic link. Replace it'],
  ['a link to nowhere', 'link', '../outside/new', 'link', 'link is a symbolic link. Replace it'],
  ['a link inside the project', 'link', 'file', 'link', 'link is a symbolic link. Replace it'],
  ['a folder behind a link', 'a', '../outside', 'a/file', `a/file ${isOutside}`],
  ['a new folder behind a link', 'a', '../outside', 'a/b/c', `a/b/c ${isOutside}`],
  ['a folder behind two links', 'a', 'b', 'a/file', `a/file ${isOutside}`],
  ['a folder behind a link to nowhere', 'a', '../nowhere', 'a/file', 'ENOENT'],
  ['what is no folder', 'a', '../outside/file', 'a/b', 'ENOTDIR'],
])('refuses %s', (_what, link, target, path, message) => {
  const { write, read, list, root } = createWorkspace()
  symlinkSync(target, join(root, link))
  symlinkSync('../outside', join(root, 'b'))
  expect(() => write(path)).toThrow(message)
  expect(read('outside/file')).toBe('theirs')
  expect(read('app/file')).toBe('ours')
  expect(list('outside')).toEqual(['file'])
})

it('follows links that stay inside, and the one that leads to the project', () => {
  const { write, read, root } = createWorkspace()
  mkdirSync(join(root, 'a'))
  symlinkSync('a', join(root, 'b'))
  write('b/new')
  expect(read('app/a/new')).toBe('new')
  symlinkSync('app', `${root}-link`)
  const path = join(`${root}-link`, 'x')
  writeInside({ root: `${root}-link`, path, text: 'new' })
  expect(read('app/x')).toBe('new')
  expect(() => assertInside(root, path)).not.toThrow()
})

it('writes wherever the user says', () => {
  const { read, root } = createWorkspace()
  const folder = join(root, '../outside/docs')
  writeInside({ root: folder, path: join(folder, 'v1.json'), text: 'new' })
  expect(read('outside/docs/v1.json')).toBe('new')
})
