// What the command line compares: both versions' documents, and what changed between them.
import { createUsersController, listsAreEnvelopes } from './controllers/api/v1/users_controller.ts'
import { UsersController } from './controllers/api/v2/users_controller.ts'
import { createDocument } from './src/http/docs.ts'

const users = new UsersController({} as never) // documents read the schemas and call no handler
const controllers = { 1: { users: createUsersController(users) }, 2: { users } }

export const documents = { 1: createDocument(1, controllers), 2: createDocument(2, controllers) }

/** What changed after a version. */
export const changes = { 1: [listsAreEnvelopes] }
