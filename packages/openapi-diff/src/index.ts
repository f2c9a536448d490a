/**
 * Finds what changed between two OpenAPI documents and would break a client.
 *
 * @module
 */
export { type CompareOptions, compareDocuments } from './compare-documents.ts'
export { DiffError, type DiffErrorCode } from './error.ts'
export type { DiffFinding } from './finding.ts'
export { type FindingGroup, groupFindings } from './group-findings.ts'
export { upgradeGuide } from './upgrade-guide.ts'
export { withoutProse } from './without-prose.ts'
