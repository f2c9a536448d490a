import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { Page, User } from '../../../src/http/schemas.ts'
import { UsersController as UsersControllerV1 } from '../v1/users_controller.ts'

const UserPage = Type.Object({
  items: Type.Array(User),
  next: Type.Union([Type.String(), Type.Null()], { description: 'URL of the next page' }),
})

/** Version 2 of the users: a list is an object with the URL of the next page. Everything else is inherited. */
export class UsersController extends UsersControllerV1 {
  override index = {
    onRequest: this.authenticate,
    schema: { summary: 'Lists users, page by page', querystring: Page, response: { 200: UserPage } },
    handler: ({ query }: FastifyRequest<{ Querystring: Page }>): Promise<unknown> => this.listPage(query),
  }
}
