// What must hold whatever is sent: no generated code, and memory that doesn't grow. In processes of their own.
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAll } from '../../../tools/test-all.ts'

const core = JSON.stringify(resolve(import.meta.dirname, '../src/index.ts'))
const routes = `import { api, cache, createMatcher, hrefs, inherit, pathTo, resources, version } from ${core}
const routes = api({ vendorString: 'acme', constraints: { id: /\\w+/ } }, version(1, cache({ as: 'v1' }, resources('users', resources('posts')))), version(2, inherit({ from: 'v1' })))
const { match } = createMatcher(routes)
`
const run = (flags: string[], code: string): string =>
  execFileSync(
    process.execPath,
    [
      ...flags,
      '--conditions=@hv/source',
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      routes + code,
    ],
    {
      encoding: 'utf8',
      cwd: resolve(import.meta.dirname, '../../..'),
    },
  )

describe('the core', () => {
  it('generates no code', () => {
    const code = `
      let refused = false
      try { new Function('return 1')() } catch { refused = true }
      const found = match('GET', hrefs(routes).posts.show({ user_id: 'a', id: 7 }) + '.json', 'application/vnd.acme+json;version=2, */*;q=0.1')
      console.log(refused, found.version, JSON.stringify(found.params), pathTo(routes, 'api_users'))`
    expect(run(['--disallow-code-generation-from-strings'], code)).toBe(
      'true 2 {"user_id":"a","id":"7"} /api/users\n',
    )
  })

  it('keeps its memory whatever the headers and paths', () => {
    const code = `
      const send = (from, count) => { for (let i = from; i < from + count; i++) match('GET', '/api/users/' + i + '%41/x' + i, 'application/vnd.acme+json;version=' + (i % 3) + ';trace=' + 'x'.repeat(i % 90) + i) }
      const heap = () => { globalThis.gc(); globalThis.gc(); return process.memoryUsage().heapUsed }
      send(0, 200_000)
      const before = heap()
      send(200_000, ${isAll ? 1_000_000 : 200_000})
      console.log(Math.round((heap() - before) / 1024))`
    const grown = Number(run(['--expose-gc'], code))
    expect(grown).toBeLessThan(512) // kilobytes, after many headers and paths that were never seen before
  })
})
