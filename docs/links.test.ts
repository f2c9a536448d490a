// Every link between the pages of the repository leads to a file, and to a heading of it.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, normalize, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { publishedPackages } from '../tools/packed.ts'
import { slug } from './.vitepress/slug.ts'

const root = resolve(import.meta.dirname, '..')
const repository = 'https://github.com/hv-router/router/'
const inside = (folder: string): string[] =>
  readdirSync(join(root, folder)).map((name) => join(folder, name))
const folders = ['.', '.changeset', ...inside('packages'), ...inside('examples'), ...inside('docs')]
const pages = folders
  .filter((folder) => statSync(join(root, folder)).isDirectory())
  .flatMap(inside)
  .filter((page) => page.endsWith('.md'))
/** A page without its code. */
const textOf = (page: string): string =>
  readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
const linksOf = (page: string): string[] =>
  [...textOf(page).matchAll(/\[(?:[^\]]|\\\])*\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading!))

/** The file and the anchor behind a link of a page; undefined for a link that leaves the repository. */
function targetOf(
  page: string,
  link: string,
): [file: string, anchor: string | undefined] | undefined {
  const [path = '', anchor] = link.split('#')
  if (path.startsWith(repository)) {
    const found = /^(?:blob|tree)\/main\/(.+)$/.exec(path.slice(repository.length))
    return found === null ? undefined : [found[1]!, anchor]
  }
  if (/^[a-z]+:/.test(path)) return undefined
  return [path === '' ? page : normalize(join(page, '..', path)), anchor]
}

describe('the links', () => {
  it.each(pages)('of %s lead somewhere', (page) => {
    for (const link of linksOf(page)) {
      const target = targetOf(page, link)
      if (target === undefined) continue
      const [file, anchor] = target
      expect(existsSync(join(root, file)), link).toBe(true)
      if (anchor !== undefined) expect(anchorsOf(file), link).toContain(anchor)
    }
  })

  it.each(pages.filter((page) => /^packages\/\w+\/README\.md$/.test(page)))(
    'of %s are absolute: npm shows it',
    (page) => {
      expect(linksOf(page).filter((link) => !/^(?:https:|#)/.test(link))).toEqual([])
    },
  )

  it('are some, and a wrong one is found', () => {
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(50)
    expect(targetOf('docs/guide/client.md', '../reference/errors.md#x')).toEqual([
      'docs/reference/errors.md',
      'x',
    ])
    expect(anchorsOf('docs/reference/errors.md')).not.toContain('x')
  })
})

// Until the packages are published, somebody else may publish one under their name. A version limits what npx would run.
describe('the npx commands', () => {
  const others = ['docs/.vitepress/theme/Home.vue', '.github/ISSUE_TEMPLATE/bug.yml']
  const sources = [...publishedPackages().keys()].flatMap((folder) =>
    readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' }).flatMap((file) =>
      file.endsWith('.ts') ? join(folder, 'src', file) : [],
    ),
  )
  const commands = [...pages, ...others, ...sources].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/npx (@hv\/[\w-]+)(?:@([\d.]+))?/g)].map(
      ([, name, version]) => [page, name, version] as const,
    ),
  )

  it("name their package's minor version", () => {
    const minors = new Map(
      [...publishedPackages().values()].map(({ name, version }) => [
        name,
        version.split('.', 2).join('.'),
      ]),
    )
    expect(commands.filter(([, name, version]) => version !== minors.get(name!))).toEqual([])
    expect(commands.length).toBeGreaterThan(60)
  })
})
