export { type ContractFinding, compareDocuments } from './compare/compare-documents.ts'
export { withoutProse } from './compare/without-prose.ts'
export { type OpenApiDocument, type OpenApiOptions, openapi } from './openapi.ts'
