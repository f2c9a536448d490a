import type { Config } from '../config.ts'
import { openMysqlStore } from './mysql-store.ts'
import { openSqliteStore } from './sqlite-store.ts'
import type { UserStore } from './user-store.ts'

/** The store that the configuration names. */
export const openStore = ({ databaseUrl, databaseFile }: Config): UserStore =>
  databaseUrl === null ? openSqliteStore(databaseFile) : openMysqlStore(databaseUrl)
