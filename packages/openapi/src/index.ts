/**
 * Creates one OpenAPI 3.1 document per version, and compares documents.
 *
 * @module
 */
export { type CompareOptions, compareDocuments } from './compare/compare-documents.ts'
export { type FindingGroup, groupFindings } from './compare/group-findings.ts'
export type { ContractFinding } from './compare/report.ts'
export { withoutProse } from './compare/without-prose.ts'
export { type OpenApiDocument, type OpenApiOptions, openapi } from './openapi.ts'
