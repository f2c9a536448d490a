// `npm run docs:agents`: writes the page for coding agents and llms.txt from the other pages, and the page of the benchmarks
// from their results. docs/agents.test.ts compares them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { benchmarksPage } from './benchmarks-page.ts'
import { type Page, readPage, readSections, site } from './pages.ts'

const about =
  '@hv/router versions an HTTP API by the Accept header. A route file declares the routes of every version; an adapter serves ' +
  'them with Express, Fastify, fetch or Nest.'

/** The generated files, by path below `docs`. */
export const generatedFiles = (): Readonly<Record<string, string>> => ({
  'agents.md': agentsPage(),
  'benchmarks.md': benchmarksPage(),
  'public/llms.txt': llmsText(),
})

function llmsText(): string {
  const link = ({ path, title, summary }: Page) =>
    `- [${title}](${site}/${path})${summary === '' ? '' : `: ${firstSentence(summary)}`}`
  const sections = readSections().map(
    ({ title, pages }) =>
      `## ${title}\n\n${pages
        .filter(({ path }) => path !== 'agents')
        .map(link)
        .join('\n')}`,
  )
  const start = `- [For coding agents](${site}/agents): rules, a complete app, exports, commands and errors on one page`
  return `${[`# @hv/router\n\n> ${about}`, start, ...sections].join('\n\n')}\n`
}

function agentsPage(): string {
  const errors = sectionsOf(readPage('reference/errors').text)
  const problems = sectionsOf(readPage('reference/problems').text)
  const parts = [
    `# For coding agents

<!-- Written by \`npm run docs:agents\` from the other pages. Do not edit. -->

${wrap(about)}
This page has what you need to write code with it. [llms.txt](${site}/llms.txt) lists all pages.`,
    `## Rules

- The version is a whole number in \`Accept: application/vnd.<vendor>+json;version=<n>\`. It is never in the URL.
- Declare a route once, inside \`cache({ as }, …)\`. Repeat it in a later version with \`inherit({ from })\`. Do not copy it.
- Every version needs a controller for every resource, and an action for every route, inherited ones included. The compiler
  reports what is missing; so does \`npx @hv/router-cli check\`.
- Different routes: \`inherit\` and what's new. Different behavior: override the action in the newer controller. Different payload:
  write the newest controller, and derive the older one with \`before(newer, change(…))\`.
- Build URLs with \`hrefs(routes)\` and media types with \`mediaType(routes, { version })\`. Do not concatenate strings.
- Do not set \`Vary\`, \`API-Version\` or the vendor \`Content-Type\` in a handler. The adapter sets them.
- In a Nest app, list the classes in \`VersionedApiModule.forRoot(routes, controllers)\` of \`@hv/router-nest\` and in the
  \`controllers\` of their modules. Their methods need no \`@Get()\`. Name paths, not classes, in \`forRoutes()\`.
- Do not catch unknown versions or methods in a handler. The adapter answers 400, 404, 405 and 406 with a problem document.
- To find out why a request is routed as it is, run \`npx @hv/router-cli explain GET /api/users/7 --accept '…'\`.`,
    `## A complete app\n\n${blocksOf(readPage('index'), 'Serve it').join('\n\n')}`,
    `## Exports of @hv/router\n\n${tableOf(readPage('packages/router'))}`,
    `## Commands\n\n${tableOf(readPage('reference/cli'))}`,
    `## Errors at start-up\n\n${listOf(errors)}`,
    `## Problem documents\n\n${listOf(problems, 2)}`,
  ]
  return `${parts.join('\n\n')}\n`
}

const listOf = (sections: ReadonlyMap<string, string>, sentences = 1): string =>
  [...sections].map(([heading, text]) => `- \`${heading}\`: ${firstSentence(paragraphOf(text), sentences)}`).join('\n')

/** The sections of the second level, by heading. */
function sectionsOf(text: string): ReadonlyMap<string, string> {
  const [, ...parts] = text.split(/^## /m)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()]))
}

/** The code blocks of a section. Of tabs, those of npm and Fastify. */
function blocksOf({ path, text }: Page, heading: string): readonly string[] {
  const blocks = sectionsOf(text)
    .get(heading)
    ?.match(/^```(?:ts|sh)(?: \[(?:npm|Fastify)\])?\n[\s\S]*?^```$/gm)
  if (blocks == null) throw new Error(`docs/${path}.md has no section '${heading}' with code.`)
  return blocks.map((block) => block.replace(/ \[\w+\]/, ''))
}

/** The first table of a page. */
function tableOf({ path, text }: Page): string {
  const [table] = text.match(/^\|.*\|$(?:\n\|.*\|$)+/m) ?? []
  if (table === undefined) throw new Error(`docs/${path}.md has no table.`)
  return withoutLinks(table).replaceAll(/ +\|/g, ' |').replaceAll(/-{4,}/g, '---')
}

const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
const paragraphOf = (text: string): string => withoutLinks(text.split('\n\n')[0]!.replaceAll('\n', ' '))
const firstSentence = (text: string, count = 1): string =>
  text
    .split(/(?<=[^.]\.) (?=[A-Z`])/)
    .slice(0, count)
    .join(' ')
const wrap = (text: string): string => text.replaceAll(/(.{1,118})(?: |$)/g, '$1\n').trim()

if (import.meta.url === pathToFileURL(process.argv[1]!).href)
  for (const [path, text] of Object.entries(generatedFiles())) writeFileSync(join(import.meta.dirname, path), text)
