import type { Config } from '../config.ts'
import { type MysqlOptions, openMysqlDatabase } from './mysql-database.ts'
import { openSqliteDatabase } from './sqlite-database.ts'
import { type UserStore, createUserStore } from './user-store.ts'

export const openMysqlStore = (options: MysqlOptions): UserStore =>
  createUserStore(openMysqlDatabase(options))
export const openSqliteStore = (file: string): UserStore =>
  createUserStore(openSqliteDatabase(file))

/** Opens MySQL if the configuration has a database URL, otherwise a SQLite file. */
export const openStore = ({
  databaseUrl,
  databaseTls,
  databaseCa,
  databaseFile,
}: Config): UserStore =>
  databaseUrl === null
    ? openSqliteStore(databaseFile)
    : openMysqlStore({
        url: databaseUrl,
        tls: databaseTls === 'off' ? null : { ca: databaseCa, verify: databaseTls === 'verified' },
      })
