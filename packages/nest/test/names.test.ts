// In a version's document, what the route file adds never takes a name that the app uses.
import { api, resources, version } from '@hv/router'
import { Controller, Module } from '@nestjs/common'
import { ApiNotFoundResponse, ApiOkResponse, ApiProperty, DocumentBuilder } from '@nestjs/swagger'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { VersionedApiModule, event } from '../src/index.ts'
import { createVersionDocument } from '../src/swagger.ts'
import { createApp, platforms } from './platforms.ts'
import { validDocument } from './valid-document.ts'

class Problem {
  @ApiProperty()
  code!: number
}
class User {
  @ApiProperty()
  name!: string
}
@Controller()
class Users {
  @ApiOkResponse({ type: User })
  @ApiNotFoundResponse({ type: Problem })
  show() {}
}
const routes = api({ vendorString: 'acme' }, version(1, resources('users', { only: 'show' })))

it('keeps the names of DTOs and of what the config has', async () => {
  const Payload = z.object({ id: z.number() }).meta({ id: 'User' })
  const table = { 1: { users: Users, events: { created: event(Payload) } } }
  @Module({ imports: [VersionedApiModule.forRoot(routes, table)], controllers: [Users] })
  class Root {}
  const app = await createApp(Root, platforms[0])
  await app.init()
  const config = {
    ...new DocumentBuilder().build(),
    components: {
      responses: { NotAcceptable: { description: 'mine' } },
      headers: { 'API-Version': { schema: { type: 'string' } } },
    },
  }
  const document = await validDocument(
    createVersionDocument(app, routes, table, 1, config as never),
  )
  const { schemas, responses, headers } = document.components
  const at = ({ $ref }: { readonly $ref: string }) => {
    const [, , kind, name] = $ref.split('/')
    return document.components[kind!][name!]
  }
  const { get } = document.paths['/api/users/{id}']
  expect(at(get.responses[404].content['application/json'].schema)).toEqual({
    type: 'object',
    properties: { code: { type: 'number' } },
    required: ['code'],
  })
  expect(schemas.User.properties).toEqual({ name: { type: 'string' } })
  const payload = document.webhooks['events.created'].post.requestBody.content['application/json']
  expect(at(payload.schema).properties).toEqual({ id: { type: 'number' } })

  expect([responses.NotAcceptable, headers['API-Version']]).toEqual([
    { description: 'mine' },
    { schema: { type: 'string' } },
  ])
  const refused = at(get.responses[406]).content['application/problem+json'].schema
  expect(at(refused.allOf[0]).required).toEqual(['type', 'title', 'status', 'detail'])
  expect(at(get.responses[200].headers['API-Version']).schema.const).toBe(1)
})
