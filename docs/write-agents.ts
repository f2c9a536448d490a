// `npm run docs -- agents`: writes each package's AGENTS.md from the page for coding agents and the package's README, and the page
// of the benchmarks from their results. docs/agents.test.ts compares them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publishedPackages, root } from '../tools/packed.ts'
import { benchmarksPage } from './benchmarks-page.ts'
import { site } from './pages.ts'
import { plainOf } from './plain.ts'

/** The generated files, by path in the repository. */
export const generatedFiles = (): Readonly<Record<string, string>> => ({
  'docs/benchmarks.md': benchmarksPage(),
  ...Object.fromEntries(
    [...publishedPackages()].map(([path, { name }]) => [
      `${path}/AGENTS.md`,
      agentsFile(path, name),
    ]),
  ),
})

const note = `<!-- Written by \`npm run docs -- agents\`. For apps that use the package; if you work on it, read CONTRIBUTING.md. -->`

const recipes =
  'Rules and recipes for the whole library are in `node_modules/@hv/router/AGENTS.md`: install, declare routes, validate,\nderive older versions, serve, test, document, retire, debug.'

/** The core's file has all recipes. Every other package depends on the core, except the comparison of documents. */
function agentsFile(path: string, name: string): string {
  const page = `../${path}/README`
  const readMe = plainOf(page)
  const introduction = readMe.slice(readMe.indexOf('\n\n'), readMe.indexOf('\n```')).trim()
  const parts =
    name === '@hv/router'
      ? [
          `# ${name}\n\n${note}`,
          plainOf('agents')
            .replace(/^# .*\n+/, '')
            .trim(),
          `## Exports of @hv/router\n\n${tableOf(page)}`,
          `## Commands of @hv/router-cli\n\n${tableOf('reference/cli')}`,
        ]
      : [
          `# ${name}\n\n${note}\n\n${introduction}`,
          /^```sh[\s\S]*?^```$/m.exec(readMe)![0],
          /^```ts[\s\S]*?^```$/m.exec(readMe)?.[0] ?? tableOf(page),
          ...(name === '@hv/openapi-diff' ? [] : [recipes]),
          `Everything about this package: [README.md](README.md). All pages as Markdown: <${site}/llms.txt>.`,
        ]
  return `${parts.join('\n\n')}\n`
}

/** The first table of a page. */
function tableOf(page: string): string {
  const [table] = plainOf(page).match(/^\|.*\|$(?:\n\|.*\|$)+/m)!
  return table
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/ +\|/g, ' |')
    .replaceAll(/-{4,}/g, '---')
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href)
  for (const [path, text] of Object.entries(generatedFiles())) writeFileSync(join(root, path), text)
