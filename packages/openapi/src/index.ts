export { type OpenApiDocument, type OpenApiOptions, openapi } from './openapi.ts'
