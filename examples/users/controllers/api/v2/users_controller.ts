import { action } from '@hv/router-fastify'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import {
  requireAdmin,
  requireChosenPassword,
  requireSelfOrAdmin,
} from '../../../src/auth/authenticate.ts'
import { networkOf } from '../../../src/lib/network.ts'
import { findWeakness, isSamePassword } from '../../../src/auth/passwords.ts'
import type { Guess } from '../../../src/auth/throttle.ts'
import {
  type ApiError,
  badRequest,
  forbidden,
  passwordChangeRequired,
  unauthorized,
  userNotFound,
  usernameTaken,
} from '../../../src/http/errors.ts'
import {
  Login,
  LoginRequest,
  NewUser,
  PageQuery,
  User,
  UserChanges,
  UserId,
  UserPage,
  WriteResult,
} from '../../../src/http/schemas.ts'
import { readId } from '../../../src/http/user-id.ts'
import { href } from '../../../src/routes.ts'
import type { AuditEvent } from '../../../src/audit.ts'
import type { Services } from '../../../src/services.ts'
import type { WriteSummary } from '../../../src/store/database.ts'
import type { Credentials, User as StoredUser } from '../../../src/store/user-store.ts'

/**
 * Version 2's users. Each action is a handler together with its route's Fastify options, such as
 * hooks and schemas.
 *
 * Requests that write are authenticated twice, before and after the body is read, because a slow
 * body leaves enough time for the token to be revoked. `create` isn't: its statement checks the
 * admin, and nobody else's token gives a new user anything.
 */
export class UsersController {
  private readonly services: Services

  constructor(services: Services) {
    this.services = services
  }

  private readonly authenticate = (request: FastifyRequest): Promise<void> =>
    this.services.authenticate(request)

  /** With open registration, everybody may create users, but an admin's token makes a difference. */
  private readonly authorizeCreate = async (request: FastifyRequest): Promise<void> => {
    const { closedRegistration } = this.services
    if (!closedRegistration && request.headers.authorization === undefined) return
    await this.authenticate(request)
    if (closedRegistration && !request.actor!.mustChange) await requireAdmin(request)
  }

  login = action({
    schema: { summary: 'Logs in', security: [], body: LoginRequest, response: { 200: Login } },
    handler: async (request) => {
      const { username, password } = request.body
      const credentials = await this.services.store.findCredentials({ username })
      const isRight = await this.verify(request, credentials ?? username, password, 'login')
      if (!isRight) throw unauthorized('wrong username or password')
      const { id, username: name, tokenVersion } = credentials!
      return { id, username: name, jwt: this.services.tokens.sign({ id, tokenVersion }) }
    },
  })

  index = action({
    onRequest: this.authenticate,
    preHandler: requireChosenPassword,
    schema: {
      summary: 'Lists users, page by page',
      querystring: PageQuery,
      response: { 200: UserPage },
    },
    handler: ({ query }) => this.listPage(query),
  })

  show = action({
    onRequest: this.authenticate,
    preValidation: readId,
    preHandler: requireChosenPassword,
    schema: { summary: 'Shows a user', params: UserId, response: { 200: User } },
    handler: async ({ foundUser }) => {
      if (foundUser === null) throw userNotFound()
      return foundUser
    },
  })

  create = action({
    onRequest: this.authorizeCreate,
    preHandler: requireChosenPassword,
    schema: {
      summary: 'Creates a user',
      security: [{}, { token: [] }], // the token is optional, except with REGISTRATION=admin
      body: NewUser,
      response: { 201: WriteResult },
    },
    handler: async (request, reply) => {
      const { username, password, name = null } = request.body
      const { store, throttle, passwords, audit } = this.services
      refuseWeakness(password, [username])
      const admin = request.actor?.role === 'admin' ? request.actor : undefined
      if (admin === undefined) await throttle.countRegistration(request.ip)
      if ((await store.findCredentials({ username })) !== null) throw usernameTaken() // hashing is expensive
      const passwordHash = await passwords.hash(password, networkOf(request.ip))
      const data = await store.create({ username, name, passwordHash }, admin)
      if (data.affectedRows === 0) throw unauthorized('the token was revoked')
      audit('user.created', { user: data.insertId, by: request.actor?.id }, request)
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
      const { username, name, password, currentPassword = '' } = request.body
      if (username === undefined && name === undefined && password === undefined)
        throw badRequest('send at least one of username, name and password')
      const { id } = request.params
      const actor = request.actor!
      const { store, passwords, audit } = this.services
      const user = request.foundUser
      if (password !== undefined) refuseWeakness(password, [username ?? '', user?.username ?? ''])
      const isRenamed = username !== undefined && username !== user?.username
      const choosesPassword = id === actor.id && password !== undefined
      if (actor.mustChange && !(choosesPassword && !isSamePassword(password, currentPassword)))
        throw passwordChangeRequired()
      if (id === actor.id && (isRenamed || choosesPassword))
        await this.requirePassword(request, currentPassword)

      const changes = {
        ...(username !== undefined && { username }),
        ...(name !== undefined && { name }),
        ...(password !== undefined && {
          passwordHash: await passwords.hash(password, networkOf(request.ip)),
        }),
      }
      const data = await store.update(id, changes, actor)
      if (data.affectedRows === 0) return this.refuseWrite(request)
      if (isRenamed) audit('name.changed', { user: id, by: actor.id }, request)
      if (password !== undefined) audit('password.changed', { user: id, by: actor.id }, request)
      return successOf(data)
    },
  })

  destroy = action({
    onRequest: this.authenticate,
    preValidation: readId,
    preHandler: [this.authenticate, requireChosenPassword, requireSelfOrAdmin],
    schema: { summary: 'Deletes a user', params: UserId, response: { 200: WriteResult } },
    handler: async (request) => {
      const { id } = request.params
      const data = await this.services.store.delete(id, request.actor!)
      if (data.affectedRows === 0) return this.refuseWrite(request)
      this.services.audit('user.deleted', { user: id, by: request.actor!.id }, request)
      return successOf(data)
    },
  })

  endSessions = action({
    onRequest: this.authenticate,
    preValidation: readId,
    preHandler: [this.authenticate, requireChosenPassword, requireSelfOrAdmin],
    schema: { summary: "Ends a user's sessions", params: UserId, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const { id } = request.params
      const { affectedRows } = await this.services.store.endSessions(id, request.actor!)
      if (affectedRows === 0) return this.refuseWrite(request)
      this.services.audit('sessions.ended', { user: id, by: request.actor!.id }, request)
      return reply.code(204).send()
    },
  })

  /** Responds with 403 unless this is the actor's current password. */
  private async requirePassword(request: FastifyRequest, password: string): Promise<void> {
    const credentials = await this.services.store.findCredentials({ id: request.actor!.id })
    if (await this.verify(request, credentials ?? '', password, 'change')) return
    await this.authenticate(request) // the password may have been changed since
    throw forbidden(
      'to change the username or the password, send the current one as currentPassword',
    )
  }

  /**
   * Verifies a password. Guesses are throttled and recorded.
   *
   * @param account the user's credentials, or a name that no user has
   */
  private async verify(
    request: FastifyRequest,
    account: Credentials | string,
    password: string,
    at: Guess['at'],
  ): Promise<boolean> {
    const { throttle, passwords, audit } = this.services
    const [user, hash] =
      typeof account === 'string' ? [account, null] : [account.id, account.passwordHash]
    const record = (event: AuditEvent) =>
      audit(
        event,
        { ...(typeof user === 'string' ? { unknownName: user } : { user }), at },
        request,
      )
    try {
      const isRight = await throttle.guess({ user, address: request.ip, at }, () =>
        passwords.verify(hash, password, networkOf(request.ip)),
      )
      record(isRight ? 'login.right' : 'login.wrong')
      return isRight
    } catch (error) {
      if ((error as ApiError).statusCode === 429) record('login.blocked')
      throw error
    }
  }

  /**
   * Called if a write affected no row: either the request isn't authorized any more, or there's no
   * such user.
   */
  private async refuseWrite(request: FastifyRequest): Promise<never> {
    await this.authenticate(request)
    await requireSelfOrAdmin(request)
    throw userNotFound()
  }

  /** Returns a page of users, and the next page's URL if there's a next page. */
  private async listPage({
    limit = '50',
    after = '0',
  }: PageQuery): Promise<{ items: readonly StoredUser[]; next: string | null }> {
    const size = Number(limit)
    const users = await this.services.store.list({ after: Number(after), limit: size + 1 })
    const items = users.slice(0, size)
    const next =
      users.length > size ? `${href.users.index()}?limit=${size}&after=${items.at(-1)!.id}` : null
    return { items, next }
  }
}

function refuseWeakness(password: string, usernames: readonly string[]): void {
  const weakness = findWeakness(password, usernames)
  if (weakness !== null) throw badRequest(weakness)
}

const successOf = (data: WriteSummary, code = 200) => ({
  status: true,
  code,
  message: 'success',
  data,
})
