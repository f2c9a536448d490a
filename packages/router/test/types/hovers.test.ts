// What an editor shows on hover in Getting started's app: TypeScript 6's language service is asked.
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serviceOf } from './language-service.ts'

const packages = resolve(import.meta.dirname, '../../..')
const app = `import { api, inherit, resources, version } from '@hv/router'
import type { Request, Response } from 'express'
import { createClient, typesOf } from '${packages}/client/src/index.ts'
import { createRouter } from '${packages}/express/src/index.ts'

const routes = api(
  { vendorString: 'acme' },
  version(1, resources('users', { only: ['index', 'show'] })),
  version(2,
    inherit({ from: 1 }),
    resources('teams', { only: 'index' })),
)
const users = [{ id: '1', name: 'Ann Lee' }]
const v1 = {
  users: {
    index: (_req: Request, res: Response) => res.json(users),
    show: (req: Request<{ id: string }>, res: Response) => res.json(req.params.id),
  },
}
const v2 = {
  users: { ...v1.users, index: (_req: Request, res: Response) => res.json([...users].reverse()) },
  teams: { index: (_req: Request, res: Response) => res.json(['red', 'blue']) },
}
const controllers = { 1: v1, 2: v2 }
createRouter(routes, controllers)

const baseUrl = 'https://acme.example'
const client = createClient(routes, { baseUrl, version: 2 })
const typed = createClient(routes, { baseUrl, version: 2, types: typesOf<typeof controllers> })
`

describe('on hover', () => {
  const { file, service } = serviceOf(join(packages, 'express/test'), app, ['node'])
  it('the app compiles', () => {
    const errors = service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)
    expect(errors).toEqual([])
  })

  // A call's hover repeats the routes in its type argument and in its parameters.
  it.each([
    ['routes', 'routes = api', 300],
    ['createRouter', 'createRouter(', 620],
    ['client', 'client = ', 300],
    ["client, with its controllers' types", 'typed = ', 560],
  ])('%s is short, and names no node', (_what, place, limit) => {
    const { displayParts } = service.getQuickInfoAtPosition(file, app.indexOf(place))!
    const shown = displayParts!.map(({ text }) => text).join('')
    expect(shown.length, shown).toBeLessThanOrEqual(limit)
    expect(shown).toContain('Resources<"users"')
    expect(shown).not.toContain('Node<')
  })
})
