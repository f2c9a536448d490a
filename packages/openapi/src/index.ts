/**
 * Creates one OpenAPI 3.1 document per version, and compares documents.
 *
 * @module
 */
export { type ContractFinding, compareDocuments } from './compare/compare-documents.ts'
export { withoutProse } from './compare/without-prose.ts'
export { type OpenApiDocument, type OpenApiOptions, openapi } from './openapi.ts'
