// bump in route files as people write them. The changed file is loaded, so what it writes is valid.
import { describe, expect, it } from 'vitest'
import { createProject } from '../project.ts'

const controller = 'export class UsersController {\n  index() {}\n}\n'
const project = (files: Record<string, string>) =>
  createProject({
    'package.json': '{ "type": "module" }',
    'controllers/api/v1/users_controller.js': controller,
    'controllers/api/v2/users_controller.js': controller,
    ...files,
  })
const v1 = "version(1, resources('users', { only: 'index' }))"

describe('bump writes version 3', () => {
  it.each<[what: string, file: string, before: string, after: [from: string, to: string][]]>([
    [
      'in an import of the whole module',
      'routes.ts',
      `import * as hv from '@hv/router'

export const routes = hv.api(
  { vendorString: 'acme' },
  hv.version(1, hv.resources('users', { only: 'index' })),
  hv.version(2, hv.inherit({ from: 1 })),
)
`,
      [
        [
          'hv.version(2, hv.inherit({ from: 1 })),\n',
          'hv.version(2, hv.inherit({ from: 1 })),\n  hv.version(3, hv.inherit({ from: 2 })),\n',
        ],
      ],
    ],
    [
      'after constants',
      'routes.ts',
      `import { api, inherit, resources, version } from '@hv/router'

const first = ${v1}
const second = version(2, inherit({ from: 1 }))

export const routes = api(
  { vendorString: 'acme' },
  first,
  second, // the newest
)
`,
      [['second, // the newest\n', 'second, // the newest\n  version(3, inherit({ from: 2 })),\n']],
    ],
    [
      'in an array',
      'routes.ts',
      `import { api, inherit, resources, version } from '@hv/router'

const versions = [
  ${v1},
  version(2, inherit({ from: 1 })), // the newest, of two
] as const
export const routes = api({ vendorString: 'acme' }, ...versions)
`,
      [['// the newest, of two\n', '// the newest, of two\n  version(3, inherit({ from: 2 })),\n']],
    ],
    [
      'without a comma, before a comment',
      'routes.ts',
      `import { api, inherit, resources, version } from '@hv/router'
export const routes = api(
  { vendorString: 'acme' },
  ${v1},
  version(2, inherit({ from: 1 })) // the newest
)
`,
      [
        [
          'version(2, inherit({ from: 1 })) // the newest\n',
          'version(2, inherit({ from: 1 })), // the newest\n  version(3, inherit({ from: 2 }))\n',
        ],
      ],
    ],
    [
      'with Windows line ends and tabs',
      'routes.ts',
      `import { api, inherit, resources, version } from '@hv/router'\r\nexport const routes = api(\r\n\t{ vendorString: 'acme' },\r\n\t${v1},\r\n\tversion(2, inherit({ from: 1 })),\r\n)\r\n`,
      [['{ from: 1 })),\r\n)', '{ from: 1 })),\r\n\tversion(3, inherit({ from: 2 })),\r\n)']],
    ],
    [
      'in CommonJS',
      'routes.cjs',
      `const { api, resources, version } = require('@hv/router')

module.exports = api(
  { vendorString: 'acme' },
  version(1, resources('users')),
  version(2, resources('users')),
)
`,
      [
        ['resources, version }', 'resources, version, inherit }'],
        [
          "version(2, resources('users')),\n",
          "version(2, resources('users')),\n  version(3, inherit({ from: 2 })),\n",
        ],
      ],
    ],
    [
      'in TypeScript that requires',
      'routes.cts',
      `import hv = require('@hv/router')
const routes = hv.api({ vendorString: 'acme' }, hv.version(1, hv.resources('users')), hv.version(2, hv.inherit({ from: 1 })))
export = { routes }
`,
      [
        [
          'hv.version(2, hv.inherit({ from: 1 }))',
          'hv.version(2, hv.inherit({ from: 1 })), hv.version(3, hv.inherit({ from: 2 }))',
        ],
      ],
    ],
    [
      'where comments and strings look like versions',
      'routes.ts',
      `import { api, inherit, resources, version } from '@hv/router'
// version(2, resources('users'))
const text = 'version(2, nothing)'
export const routes = api(
  { vendorString: text && 'acme' },
  ${v1},
  version(2, /* version(2, */ inherit({ from: 1 /* ) */ })),
)
`,
      [['/* ) */ })),\n', '/* ) */ })),\n  version(3, inherit({ from: 2 })),\n']],
    ],
  ])('%s', async (_what, file, before, after) => {
    const { hv, read } = project({ [file]: before })
    expect(await hv('bump')).toMatchObject({ code: 0, err: '' })
    expect(read(file)).toBe(after.reduce((text, [from, to]) => text.replace(from, to), before))
  })

  it('after versions that other files declare', async () => {
    const { hv, read } = project({
      'routes/v1.ts': `import { resources, version } from '@hv/router'\nexport const v1 = version(1, resources('users'))\n`,
      'routes/v2.ts': `import { inherit, version } from '@hv/router'\nexport const v2 = version(2, inherit({ from: 1 }))\n`,
      'routes.ts': `import { api } from '@hv/router'
import { v1 } from './routes/v1'
import { v2 } from './routes/v2'

export const routes = api({ vendorString: 'acme' }, v1, v2)
`,
    })
    expect(await hv('bump')).toMatchObject({ code: 0, err: '' })
    expect(read('routes.ts')).toBe(`import { api, version, inherit } from '@hv/router'
import { v1 } from './routes/v1'
import { v2 } from './routes/v2'

export const routes = api({ vendorString: 'acme' }, v1, v2, version(3, inherit({ from: 2 })))
`)
  })
})

describe('bump leaves the route file, and prints the version to add', () => {
  it.each<[what: string, files: Record<string, string>, message: string]>([
    [
      'versions that a spread brings',
      {
        'routes/all.ts': `import { inherit, resources, version } from '@hv/router'\nexport const all = [${v1}, version(2, inherit({ from: 1 }))] as const\n`,
        'routes.ts': `import { api } from '@hv/router'\nimport { all } from './routes/all'\nexport const routes = api({ vendorString: 'acme' }, ...all)\n`,
      },
      'routes.ts has no version(2, …) in a list of versions. Add it yourself:',
    ],
    [
      'helpers under other names',
      {
        'routes.ts': `import { api, cache, resources, inherit as include, version as v } from "@hv/router"\nexport default api({ vendorString: "acme" }, v(1, resources("users")), v(2, include({ from: 1 })))\n`,
      },
      'routes.ts has no version(2, …) in a list of versions. Add it yourself:',
    ],
    [
      'an API from another file',
      {
        'lib/api.ts': `import { api, inherit, resources, version } from '@hv/router'\nexport const routes = api({ vendorString: 'acme' }, ${v1}, version(2, inherit({ from: 1 })))\n`,
        'routes.ts': `export * from './lib/api'\n`,
      },
      'routes.ts has no version(2, …) in a list of versions. Add it yourself:',
    ],
  ])('%s', async (_what, files, message) => {
    const { hv, read } = project(files)
    const { code, out } = await hv('bump')
    expect([code, out]).toEqual([0, expect.stringContaining(message)])
    expect(read('routes.ts')).toBe(files['routes.ts'])
  })
})
