/** The build without native programs, which runs in this process. */
declare module 'recheck/lib/browser.js' {
  export { checkSync } from 'recheck'
  /** Node exports the CommonJS module as the default; loaders that compile it export its names only. */
  const recheck: typeof import('recheck') | undefined
  export default recheck
}
