import { action } from '@hv/router-fastify'
import type { FastifyRequest } from 'fastify'
import { requireAdmin, requireSelfOrAdmin } from '../../../src/auth/authenticate.ts'
import { networkOf } from '../../../src/auth/network.ts'
import { hashPassword, verifyPassword } from '../../../src/auth/passwords.ts'
import {
  badRequest,
  forbidden,
  unauthorized,
  userNotFound,
  usernameTaken,
} from '../../../src/http/errors.ts'
import {
  Credentials,
  Login,
  NewUser,
  Page,
  User,
  UserChanges,
  UserId,
  UserPage,
  WriteResult,
} from '../../../src/http/schemas.ts'
import { readId } from '../../../src/http/user-id.ts'
import { href } from '../../../src/routes.ts'
import type { Services } from '../../../src/services.ts'
import type { WriteSummary } from '../../../src/store/database.ts'
import type { User as StoredUser } from '../../../src/store/user-store.ts'

/**
 * Version 2's users. Each action is a handler together with its route's Fastify options, such as hooks and schemas.
 *
 * Requests that write are authenticated twice, before and after the body is read, because a slow body leaves enough time
 * for the token to be revoked.
 */
export class UsersController {
  private readonly services: Services

  constructor(services: Services) {
    this.services = services
  }

  private readonly authenticate = (request: FastifyRequest): Promise<void> =>
    this.services.authenticate(request)

  private readonly authenticateAndFind = (request: FastifyRequest): Promise<void> =>
    this.services.authenticateAndFind(request)

  private readonly authorizeCreate = async (request: FastifyRequest): Promise<void> => {
    if (!this.services.closedRegistration) return
    await this.authenticate(request)
    await requireAdmin(request)
  }

  login = action({
    schema: { summary: 'Logs in', security: [], body: Credentials, response: { 200: Login } },
    handler: async ({ body, ip }) => {
      const { store, throttle, tokens } = this.services
      const credentials = await store.findCredentials({ username: body.username })
      const guess = { user: credentials?.id ?? body.username, address: ip, at: 'login' } as const
      const isRight = await throttle.guess(guess, () =>
        verifyPassword(credentials?.passwordHash ?? null, body.password, networkOf(ip)),
      )
      if (credentials === null || !isRight) throw unauthorized('wrong username or password')
      const { id, username, tokenVersion } = credentials
      return { id, username, jwt: tokens.sign({ id, tokenVersion }) }
    },
  })

  index = action({
    onRequest: this.authenticate,
    schema: {
      summary: 'Lists users, page by page',
      querystring: Page,
      response: { 200: UserPage },
    },
    handler: ({ query }) => this.listPage(query),
  })

  show = action({
    onRequest: this.authenticateAndFind,
    preValidation: readId,
    schema: { summary: 'Shows a user', params: UserId, response: { 200: User } },
    handler: async ({ foundUser }) => {
      if (foundUser === null) throw userNotFound()
      return foundUser
    },
  })

  create = action({
    onRequest: this.authorizeCreate,
    preHandler: this.authorizeCreate,
    schema: {
      summary: 'Creates a user',
      security: [{}, { token: [] }], // the token is optional, except with REGISTRATION=admin
      body: NewUser,
      response: { 201: WriteResult },
    },
    handler: async (request, reply) => {
      const { username, password, name = null } = request.body
      const { store, throttle } = this.services
      if (request.actor === null) await throttle.countRegistration(request.ip)
      if ((await store.findCredentials({ username })) !== null) throw usernameTaken() // hashing is expensive
      const passwordHash = await hashPassword(password, networkOf(request.ip))
      const data = await store.create({ username, name, passwordHash }, request.actor ?? undefined)
      if (data.affectedRows === 0) throw unauthorized('the token was revoked')
      reply.code(201).header('location', href.users.show({ id: data.insertId }))
      return successOf(data, 201)
    },
  })

  update = action({
    onRequest: this.authenticate,
    preValidation: readId,
    preHandler: [this.authenticate, requireSelfOrAdmin],
    schema: {
      summary: 'Changes a user',
      params: UserId,
      body: UserChanges,
      response: { 200: WriteResult },
    },
    handler: async (request) => {
      const { username, name, password, currentPassword } = request.body
      if (username === undefined && name === undefined && password === undefined)
        throw badRequest('send at least one of username, name and password')
      const { id } = request.params
      const actor = request.actor!
      if (password !== undefined && id === actor.id)
        await this.requirePassword(request, currentPassword)

      const changes = {
        ...(username !== undefined && { username }),
        ...(name !== undefined && { name }),
        ...(password !== undefined && {
          passwordHash: await hashPassword(password, networkOf(request.ip)),
        }),
      }
      const data = await this.services.store.update(id, changes, actor)
      if (data.affectedRows === 0) return this.refuseWrite(request)
      return successOf(data)
    },
  })

  destroy = action({
    onRequest: this.authenticate,
    preValidation: readId,
    preHandler: [this.authenticate, requireSelfOrAdmin],
    schema: { summary: 'Deletes a user', params: UserId, response: { 200: WriteResult } },
    handler: async (request) => {
      const data = await this.services.store.delete(request.params.id, request.actor!)
      if (data.affectedRows === 0) return this.refuseWrite(request)
      return successOf(data)
    },
  })

  /** Responds with 403 unless this is the actor's current password. Wrong guesses are throttled. */
  private async requirePassword(request: FastifyRequest, password = ''): Promise<void> {
    const { store, throttle } = this.services
    const { id } = request.actor!
    const guess = { user: id, address: request.ip, at: 'change' } as const
    const isRight = await throttle.guess(guess, async () => {
      const credentials = await store.findCredentials({ id })
      return verifyPassword(credentials?.passwordHash ?? null, password, networkOf(request.ip))
    })
    if (isRight) return
    await this.authenticate(request) // the password may have been changed since
    throw forbidden('to change the password, send the current one as currentPassword')
  }

  /** Called if a write affected no row: either the request isn't authorized any more, or there's no such user. */
  private async refuseWrite(request: FastifyRequest): Promise<never> {
    await this.authenticate(request)
    await requireSelfOrAdmin(request)
    throw userNotFound()
  }

  /** Returns a page of users, and the next page's URL if there's a next page. */
  private async listPage({
    limit = '50',
    after = '0',
  }: Page): Promise<{ items: readonly StoredUser[]; next: string | null }> {
    const size = Number(limit)
    const users = await this.services.store.list({ after: Number(after), limit: size + 1 })
    const items = users.slice(0, size)
    const next =
      users.length > size ? `${href.users.index()}?limit=${size}&after=${items.at(-1)!.id}` : null
    return { items, next }
  }
}

const successOf = (data: WriteSummary, code = 200) => ({
  status: true,
  code,
  message: 'success',
  data,
})
