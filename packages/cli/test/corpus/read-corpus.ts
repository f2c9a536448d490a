// Controllers in Markdown, as people write them, and in styles that nobody should use.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { commonJs, helpers, modules } from './styles.ts'

export interface Case {
  readonly name: string
  /** By path, below the folder that contains the versions. */
  readonly files: Readonly<Record<string, string>>
  /** The files of the highest version. */
  readonly controllers: readonly string[]
  readonly version: number
  /** Node can't run it: it imports what isn't installed, for example. */
  readonly isRun: boolean
}

const written = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => {
    const [, ...sections] = readFileSync(join(import.meta.dirname, name), 'utf8').split(/^## /m)
    return sections.map((section) => {
      const blocks = section.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)
      const files = Object.fromEntries([...blocks].map(([, path, code]) => [path!, code!]))
      return caseOf(section.slice(0, section.indexOf('\n')), files, !/^Not run$/m.test(section))
    })
  })

/** Cases that also have to compile. */
export const corpus: readonly Case[] = written

/** Cases that only have to load, if version 1 does. */
export const styles: readonly Case[] = [
  ...modules.map((code) => ({ code, file: 'v1/users_controller.ts' })),
  ...commonJs.map((code) => ({ code, file: 'v1/users_controller.cjs' })),
].map(({ code, file }) => {
  const beside = Object.entries(helpers).map(([name, text]) => [`v1/${name}`, text])
  return caseOf(code, { [file]: code, ...Object.fromEntries(beside) }, true)
})

function caseOf(name: string, files: Readonly<Record<string, string>>, isRun: boolean): Case {
  const versionOf = (path: string): number =>
    Number(/^v(\d+)\/.*_controller\.\w+$/.exec(path)?.[1] ?? 0)
  const version = Math.max(...Object.keys(files).map(versionOf))
  const controllers = Object.keys(files).filter((path) => versionOf(path) === version)
  return { name, files, controllers, version, isRun }
}
