import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkId, readId, requireSelfOrAdmin } from '../../../src/auth/authenticate.ts'
import { hashPassword, verifyPassword } from '../../../src/auth/passwords.ts'
import { badRequest, forbidden, unauthorized, userNotFound } from '../../../src/http/errors.ts'
import { href } from '../../../src/routes.ts'
import { Credentials, Login, NewUser, Page, User, UserChanges, WriteResult } from '../../../src/http/schemas.ts'
import type { Services } from '../../../src/services.ts'
import type { WriteSummary } from '../../../src/store/database.ts'
import type { User as StoredUser } from '../../../src/store/user-store.ts'

/** Version 1: the service as its document describes it. */
export class UsersController {
  protected readonly services: Services

  constructor(services: Services) {
    this.services = services
  }

  protected readonly authenticate = (request: FastifyRequest) => this.services.authenticate(request)

  login = {
    schema: { summary: 'Logs in', security: [], body: Credentials, response: { 200: Login } },
    handler: async ({ body, ip }: FastifyRequest<{ Body: Credentials }>) => {
      await this.services.throttle.admit(body.username, ip)
      const credentials = await this.services.store.findCredentials({ username: body.username })
      const matches = await verifyPassword(credentials?.passwordHash ?? null, body.password)
      if (credentials === null || !matches) throw unauthorized('wrong username or password')
      const { id, username, tokenVersion } = credentials
      await this.services.throttle.forgive(username)
      return { id, username, jwt: this.services.tokens.sign({ id, tokenVersion }) }
    },
  }

  index = {
    onRequest: this.authenticate,
    schema: { summary: 'Lists users', querystring: Page, response: { 200: Type.Array(User) as object } },
    handler: async ({ query }: FastifyRequest<{ Querystring: Page }>, reply: FastifyReply): Promise<unknown> => {
      const { items, next } = await this.listPage(query)
      if (next !== null) reply.header('link', `<${next}>; rel="next"`)
      return items
    },
  }

  show = {
    onRequest: this.authenticate,
    preValidation: checkId,
    schema: { summary: 'Shows a user', response: { 200: User } },
    handler: async (request: FastifyRequest) => {
      const user = await this.services.store.findById(readId(request))
      if (user === null) throw userNotFound()
      return user
    },
  }

  create = {
    onRequest: async (request: FastifyRequest) => {
      if (!this.services.closedRegistration) return
      await this.services.authenticate(request)
      if (request.actor!.role !== 'admin') throw forbidden('only an admin creates users here')
    },
    schema: { summary: 'Creates a user', security: [], body: NewUser, response: { 201: WriteResult } },
    handler: async ({ body }: FastifyRequest<{ Body: NewUser }>, reply: FastifyReply) => {
      const { username, password, name = null } = body
      const passwordHash = await hashPassword(password)
      const data = await this.services.store.create({ username, name, passwordHash })
      reply.code(201).header('location', href.users.show({ id: data.insertId }))
      return written(data, 201)
    },
  }

  update = {
    onRequest: this.authenticate,
    preValidation: checkId,
    preHandler: requireSelfOrAdmin,
    schema: { summary: 'Changes a user', body: UserChanges, response: { 200: WriteResult } },
    handler: async (request: FastifyRequest<{ Params: { id: string }; Body: UserChanges }>) => {
      const { username, name, password, currentPassword } = request.body
      if (username === undefined && name === undefined && password === undefined)
        throw badRequest('send at least one of username, name and password')
      const id = readId(request)
      const own = id === request.actor!.id
      if (password !== undefined && own) await this.requirePassword(request, currentPassword)

      const data = await this.services.store.update(id, {
        ...(username !== undefined && { username }),
        ...(name !== undefined && { name }),
        ...(password !== undefined && { passwordHash: await hashPassword(password) }),
      })
      if (data.affectedRows === 0) throw userNotFound()
      return written(data)
    },
  }

  destroy = {
    onRequest: this.authenticate,
    preValidation: checkId,
    preHandler: requireSelfOrAdmin,
    schema: { summary: 'Deletes a user', response: { 200: WriteResult } },
    handler: async (request: FastifyRequest) => {
      const data = await this.services.store.delete(readId(request))
      if (data.affectedRows === 0) throw userNotFound()
      return written(data)
    },
  }

  /** 403 unless the password is the present one; wrong ones count as failed logins do. */
  private async requirePassword({ actor, ip }: FastifyRequest, password = ''): Promise<void> {
    const credentials = await this.services.store.findCredentials(actor!)
    const { username = '', passwordHash = null } = credentials ?? {}
    await this.services.throttle.admit(username, ip)
    if (!(await verifyPassword(passwordHash, password)))
      throw forbidden('to change the password, send the present one as currentPassword')
    await this.services.throttle.forgive(username)
  }

  /** One page of users, and the URL of the next while there is more. */
  protected async listPage({
    limit = '50',
    after = '0',
  }: Page): Promise<{ items: readonly StoredUser[]; next: string | null }> {
    const size = Number(limit)
    const found = await this.services.store.list({ after: Number(after), limit: size + 1 })
    const items = found.slice(0, size)
    const next = found.length > size ? `${href.users.index()}?limit=${size}&after=${items.at(-1)!.id}` : null
    return { items, next }
  }
}

const written = (data: WriteSummary, code = 200) => ({ status: true, code, message: 'success', data })
