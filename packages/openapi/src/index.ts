/**
 * Creates one OpenAPI 3.1 document per version.
 *
 * @module
 */
export { type OpenApiDocument, type OpenApiOptions, openapi } from './openapi.ts'
