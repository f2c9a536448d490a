import type { Config } from '../config.ts'
import { type MysqlOptions, openMysqlDatabase } from './mysql-database.ts'
import { type SqliteOptions, openSqliteDatabase } from './sqlite-database.ts'
import { type UserStore, createUserStore } from './user-store.ts'

export const openMysqlStore = (options: MysqlOptions): UserStore =>
  createUserStore(openMysqlDatabase(options))
export const openSqliteStore = (file: string, options?: SqliteOptions): UserStore =>
  createUserStore(openSqliteDatabase(file, options))

/**
 * Opens MySQL if the configuration has a database URL, otherwise a SQLite file.
 *
 * @param options for SQLite
 */
export const openStore = (
  { databaseUrl, databaseTls, databaseCa, databaseFile }: Config,
  options?: SqliteOptions,
): UserStore =>
  databaseUrl === null
    ? openSqliteStore(databaseFile, options)
    : openMysqlStore({
        url: databaseUrl,
        tls: databaseTls === 'off' ? null : { ca: databaseCa, verify: databaseTls === 'verified' },
      })
