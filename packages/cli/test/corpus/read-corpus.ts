// The corpus: controllers as people write them, in Markdown. Each case has its files, then what is expected of them.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Case {
  readonly name: string
  /** By path, below the folder that holds the versions. */
  readonly files: Readonly<Record<string, string>>
  /** The controller that the expectations are about: the first of the highest version. */
  readonly controller: string
  readonly version: number
  /** `index 2`: the version that holds the action. */
  readonly from: readonly (readonly [action: string, version: number])[]
  /** The file of the next version, unless it is refused. */
  readonly successor: { readonly path: string; readonly text: string } | null
  readonly refused: string | null
  readonly isAbstract: boolean
  readonly isRun: boolean
}

export const corpus: readonly Case[] = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => casesIn(readFileSync(join(import.meta.dirname, name), 'utf8')))

function casesIn(text: string): readonly Case[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => caseOf(section))
}

function caseOf(section: string): Case {
  const blocks = [...section.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, path, code]) => [path!, code!] as const,
  )
  const line = (label: string): string | null =>
    new RegExp(`^${label}: (.*)$`, 'm').exec(section)?.[1] ?? null
  const versionOf = (path: string): number =>
    Number(/^v(\d+)\/.*_controller\.\w+$/.exec(path)?.[1] ?? 0)
  const refused = line('Refused')
  const versions = [...new Set(blocks.map(([path]) => versionOf(path)))].filter(
    (version) => version > 0,
  )
  const highest = Math.max(...versions)
  const successor =
    refused === null ? blocks.find(([path]) => versionOf(path) === highest) : undefined
  const version = successor === undefined ? highest : highest - 1
  const files = Object.fromEntries(blocks.filter(([path]) => path !== successor?.[0]))
  const controller = Object.keys(files).find((path) => versionOf(path) === version)
  return {
    name: section.slice(0, section.indexOf('\n')),
    files,
    controller: controller ?? '',
    version,
    from: (line('From')?.split(', ') ?? []).map((part) => {
      const [action, from] = part.split(' ')
      return [action!, Number(from)] as const
    }),
    successor: successor === undefined ? null : { path: successor[0], text: successor[1] },
    refused,
    isAbstract: /^Abstract$/m.test(section),
    isRun: !/^Not run$/m.test(section),
  }
}
