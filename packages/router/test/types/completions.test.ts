// What an editor offers in a route file: TypeScript's language service 6 is asked.
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { some } from '../../../../tools/test-all.ts'
import { serviceOf } from './language-service.ts'

const source = resolve(import.meta.dirname, '../../src/index.ts')

/** The completions at the cursor, which `|` marks. */
function complete(text: string): readonly string[] {
  const before = `import { api, cache, collection, get, inherit, member, namespace, resource, resources, scope, version } from '${source}'\n`
  const position = before.length + text.indexOf('|')
  const { file, service } = serviceOf(import.meta.dirname, before + text.replace('|', ''))
  return service.getCompletionsAtPosition(file, position, {})?.entries.map(({ name }) => name) ?? []
}

const v1 = `const v1 = cache({ as: 'v1' },
  resources('users', { except: ['new', 'edit'] }, resources('posts', { only: 'show' }), member(get('preview')), get('inbox')),
  namespace('admin', resources('keys', { only: 'index' })),
  scope({ path: 'x' }, resource('profile', { only: 'show' })),
  get('health', { to: 'health#show' }))
`
const names =
  `users users#index users#create users#show users#update users#destroy users#preview users#inbox
  users/preview users/inbox users/posts users/posts#show admin admin/keys admin/keys#index profile profile#show health health#show`.split(
    /\s+/,
  )

describe('except of inherit', () => {
  it.each(some(["['users/posts', '|']", "'|'"], 1))(
    'completes the names in a cache in a const: except: %s',
    (except) => {
      const offered = complete(
        `${v1}api({ vendorString: 'x' }, version(1, v1), version(2, inherit({ from: v1, except: ${except} })))`,
      )
      expect(offered.filter(Boolean).toSorted()).toEqual(names.toSorted())
    },
  )
})

describe('options', () => {
  it('completes those of api', () => {
    const offered = complete(`api({ | }, version(1, resources('users')))`)
    expect(offered).toEqual(
      expect.arrayContaining(['vendorString', 'namespace', 'only', 'except', 'defaultVersion']),
    )
    expect(
      complete(`api({ vendorString: 'x', except: ['|'] }, version(1, resources('users')))`),
    ).toContain('destroy')
  })
  it('completes those of scope', () => {
    const offered = complete(`scope({ | }, resources('users'))`)
    expect(offered).toEqual(
      expect.arrayContaining(['as', 'constraints', 'module', 'only', 'path', 'shallow', 'sunset']),
    )
  })
})
