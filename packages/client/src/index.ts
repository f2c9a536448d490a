/**
 * A typed client of one version.
 *
 * @module
 */
export { type ClientOptions, createClient, typesOf } from './client.ts'
export { ClientError, type ClientErrorOf } from './client-error.ts'
export type { Deprecation } from './deprecation.ts'
export { type ClientTable, clientTable } from './table.ts'
export type { Call, CallOptions, Client, Result } from './types.ts'
