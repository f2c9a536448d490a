/**
 * What `@hv/router-nest` shares. Not part of the public API: it may change in any release.
 *
 * @module
 */
export { withProblems } from './problems.ts'
