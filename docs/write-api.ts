// Writes the API pages of the reference from the doc comments of the packages: `npm run api`. Git ignores the pages.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Application } from 'typedoc'
import { apiPages } from './pages.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(import.meta.dirname, 'reference/api')

const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: Object.values(apiPages).map(([, file]) => join(root, file)),
  tsconfig: join(import.meta.dirname, 'tsconfig.api.json'),
  basePath: root,
  outputs: [{ name: 'markdown', path: folder }],
  outputFileStrategy: 'modules',
  readme: 'none',
  disableSources: true,
  excludeInternal: true,
  sort: ['source-order'],
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases'],
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  useHTMLAnchors: true,
  expandObjects: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideInherited: true, hideOverrides: true, hideModifiers: true },
  pageTitleTemplates: { module: ({ name }: { name: string }) => apiPages[name]![0] },
  validation: { notDocumented: false, notExported: false, invalidLink: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
  logLevel: 'Warn',
} as never)
const project = await app.convert()
if (project === undefined) throw new Error("TypeDoc can't read the packages.")
for (const module of project.children!) {
  const file = `${module.name.replace(/src$/, 'src/index')}.ts`
  module.name = Object.keys(apiPages).find((page) => apiPages[page]![1] === file)!
}
app.validate(project)
for (const found of project.children!.flatMap(({ children = [] }) => children)) {
  const isDocumented = [found, ...(found.signatures ?? [])].some(({ comment }) =>
    comment?.hasVisibleComponent(),
  )
  if (!isDocumented && !found.isReference())
    app.logger.warn(`${found.getFullName()} has no doc comment.`)
}
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1)

rmSync(folder, { recursive: true, force: true })
await app.generateOutputs(project)
rmSync(join(folder, 'README.md')) // a list of the pages: the sidebar has it
for (const page of Object.keys(apiPages)) {
  const path = join(folder, `${page}.md`)
  // VitePress takes the id of a heading from the heading itself.
  const text = readFileSync(path, 'utf8').replaceAll(
    /^<a id="([^"]+)"><\/a>\n\n(#+ .+)$/gm,
    '$2 {#$1}',
  )
  if (text.includes('__namedParameters'))
    throw new Error(`${page}.md has a parameter without a name. Add @param tags.`)
  writeFileSync(path, `---\neditLink: false\n---\n\n${text}`)
}
