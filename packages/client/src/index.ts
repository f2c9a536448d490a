/**
 * A typed client of one version.
 *
 * @module
 */
export { type ClientOptions, createClient, typesOf } from './client.ts'
export { ClientError } from './client-error.ts'
export type { Deprecation } from './deprecation.ts'
export type { Call, CallOptions, Client } from './types.ts'
