// The route files that a link can name: `/playground#file=tutorial`. The build reads them from their pages, so no link goes stale.
import { readPage } from '../../pages.ts'

/** By name: the source of the route file. */
export type Files = Readonly<Record<string, string>>

export const load = (): Files => ({ tutorial: routeFileOf('guide/getting-started') })

function routeFileOf(page: string): string {
  const source = /^```ts[^\n]* file=routes\.ts\n([\s\S]*?)^```$/m.exec(readPage(page).text)?.[1]
  if (source === undefined) throw new Error(`docs/${page}.md has no block 'routes.ts'.`)
  return source
}

// VitePress calls load() when it builds, and exports what it returns as `data`.
export declare const data: Files
export default { load, watch: ['../../guide/getting-started.md'] }
