/** The build without native programs, which runs in this process. */
declare module 'recheck/lib/browser.js' {
  import type { checkSync } from 'recheck'
  const recheck: { readonly checkSync: typeof checkSync }
  export default recheck
}
