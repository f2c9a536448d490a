// The databases that tests run on: that of TEST_DATABASE_URL, else a private MariaDB and a private MySQL, else a loud skip.
import { randomBytes } from 'node:crypto'
import { createConnection } from 'mysql2/promise'
import { describe } from 'vitest'
import { announce } from './announce.ts'
import {
  type PrivateServer,
  type ServerProgram,
  freePort,
  mariadb,
  mysql,
  startServer,
} from './database-server.ts'

export interface TestDatabase extends PrivateServer {
  /** `mysql://…/<schema>` of a schema of its own, empty. */
  createSchema(): Promise<string>
}

interface ServerOptions {
  /**
   * Port of the server.
   *
   * @default a free one
   */
  readonly port?: number
  /**
   * Further command-line options of the server.
   *
   * @default []
   */
  readonly serverOptions?: readonly string[]
}
/** A database that goes on when the cluster on it's closed. */
export const lent = (database: TestDatabase): TestDatabase => ({
  ...database,
  stop: async () => {},
})

/** Starts a database without schemas. */
export type StartDatabase = (options?: ServerOptions) => Promise<TestDatabase>

const given = process.env['TEST_DATABASE_URL']
const programs: Readonly<Record<string, ServerProgram | undefined>> = {
  MariaDB: mariadb,
  MySQL: mysql,
}
/** Whether tests on a real database can run here. */
export const hasDatabase = given !== undefined || mariadb !== undefined || mysql !== undefined

announce(
  'REQUIRE_DB',
  hasDatabase,
  'no database here. Set TEST_DATABASE_URL, or put mariadbd or mysqld on the PATH.',
)
announce(
  'REQUIRE_MYSQL',
  mysql !== undefined,
  'no MySQL 8.4 or later here. Put mysqld on the PATH.',
)

/** Runs a suite on every database: on that of TEST_DATABASE_URL, if it's set. */
export function describeDatabases(title: string, suite: (start: StartDatabase) => void): void {
  if (given === undefined) describeServers(title, suite)
  else describe(`${title} on the database of TEST_DATABASE_URL`, () => suite(startGiven))
}

/** Runs a suite on a private server of each kind (`MariaDB` and `MySQL`): one that it may end, or that has options of its own. */
export function describeServers(
  title: string,
  suite: (start: StartDatabase, product: string) => void,
): void {
  for (const [name, program] of Object.entries(programs))
    describe.skipIf(program === undefined)(`${title} on ${name}`, () =>
      suite((options) => start(program!, options), name),
    )
}

/** One database: that of TEST_DATABASE_URL, else the first that's installed. */
export const startDatabase: StartDatabase = (options) =>
  given === undefined ? start((mariadb ?? mysql)!, options) : startGiven()

const startGiven = async () =>
  withSchemas({ url: given!, stop: async () => {}, crash: refuseToEnd, restart: refuseToEnd })
const refuseToEnd = async () => {
  throw new Error("the server of TEST_DATABASE_URL isn't ours to end")
}

const start = async (program: ServerProgram, { port, serverOptions = [] }: ServerOptions = {}) =>
  withSchemas(await startServer(program, port ?? (await freePort()), serverOptions))

function withSchemas({ url, stop, crash, restart }: PrivateServer): TestDatabase {
  const schemas: string[] = []
  const run = async (sql: string) => {
    const connection = await createConnection(url)
    await connection.query(sql)
    await connection.end()
  }
  return {
    url,
    async createSchema() {
      const schema = `t_${randomBytes(6).toString('hex')}`
      await run(`CREATE DATABASE ${schema}`)
      schemas.push(schema)
      return Object.assign(new URL(url), { pathname: `/${schema}` }).href
    },
    async stop() {
      for (const schema of schemas) await run(`DROP DATABASE ${schema}`)
      await stop()
    },
    crash,
    restart,
  }
}
