/**
 * Creates one OpenAPI 3.1 document per version, and compares documents.
 *
 * @module
 */
export { compareDocuments } from './compare/compare-documents.ts'
export type { ContractFinding } from './compare/report.ts'
export { withoutProse } from './compare/without-prose.ts'
export { type OpenApiDocument, type OpenApiOptions, openapi } from './openapi.ts'
