// The files that a link can name: `/playground#file=tutorial`. The build reads them from their pages, so no link goes stale.
import { readPage } from '../../pages.ts'
import type { Files } from './initial.ts'

export const load = (): Files => ({ tutorial: filesOf('guide/getting-started') })

/** The route file that a page ends with, and the bodies that its requests print. */
function filesOf(page: string): Files[string] {
  const { text } = readPage(page)
  const routes = [...text.matchAll(/^```ts[^\n]* file=routes\.ts\n([\s\S]*?)^```$/gm)].at(-1)?.[1]
  if (routes === undefined) throw new Error(`docs/${page}.md has no block 'routes.ts'.`)
  const bodies: Record<string, Record<number, unknown>> = {}
  for (const [, commands, output] of text.matchAll(
    /^```sh\n(curl [\s\S]*?)^```$\n\n^```text\n([\s\S]*?)^```$/gm,
  ))
    for (const [i, command] of commands!.trim().split('\n').entries()) {
      const [, key, id, version = '1'] =
        /localhost:3000\/api\/(\w+)(\/\S+)?(?: -H "Accept: .*version=(\d)")?$/.exec(command)!
      const body = JSON.parse(output!.split('\n')[i]!) as { status?: number }
      if (body.status === undefined)
        (bodies[`${key}#${id === undefined ? 'index' : 'show'}`] ??= {})[Number(version)] = body
    }
  return { routes, bodies: `export const bodies = ${JSON.stringify(bodies, null, 2)}\n` }
}

// VitePress calls load() when it builds, and exports what it returns as `data`.
export declare const data: Files
export default { load, watch: ['../../guide/getting-started.md'] }
