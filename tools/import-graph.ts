// Reads the import graph of the repository: `npm run graph` prints it, and a test checks it. Type imports count.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '..')

/** By file, relative to the repository: the files that it imports by a relative path. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** Reads the sources of every package, example and tool. */
export function readImportGraph(): ImportGraph {
  const projects = ['packages', 'examples'].flatMap((folder) =>
    foldersIn(folder).map((name) => `${folder}/${name}`),
  )
  // Not all of a project: tests write into its node_modules while this one reads.
  const files = [
    ...projects.flatMap((project) => [`${project}/src`, `${project}/controllers`]),
    'tools',
  ]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: folder !== 'tools', encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((file) => /(?<!\.(?:d|test))\.ts$/.test(file))
  return new Map(
    files.toSorted().map((file) => {
      const { importedFiles } = ts.preProcessFile(
        readFileSync(join(root, file), 'utf8'),
        true,
        true,
      )
      const relative = importedFiles
        .map(({ fileName }) => fileName)
        .filter((name) => /^\..*\.ts$/.test(name))
      return [file, [...new Set(relative.map((name) => join(dirname(file), name)))]]
    }),
  )
}

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )

/** Every file that can reach itself. */
export const filesInCycles = (graph: ImportGraph): readonly string[] =>
  [...graph.keys()].filter((file) => {
    const seen = new Set<string>()
    const open = [...(graph.get(file) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === file) return true
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...(graph.get(next) ?? []))
    }
    return false
  })

/** The graph of the folders in `base`, and of the files directly in it. */
export function foldersOf(
  graph: ImportGraph,
  base: string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const folderOf = (file: string): string => file.slice(base.length + 1).split('/', 1)[0]!
  const folders = new Map<string, Set<string>>()
  for (const [file, imports] of graph) {
    if (!file.startsWith(`${base}/`)) continue
    const edges = folders.get(folderOf(file)) ?? new Set()
    folders.set(folderOf(file), edges)
    for (const target of imports)
      if (target.startsWith(`${base}/`) && folderOf(target) !== folderOf(file))
        edges.add(folderOf(target))
  }
  return folders
}

/** The source folders of the packages and examples: `packages/cli/src`. */
export const basesOf = (graph: ImportGraph): readonly string[] => [
  ...new Set(
    [...graph.keys()].flatMap(
      (file) => /^(?:packages|examples)\/[^/]+\/[^/]+(?=\/)/.exec(file)?.[0] ?? [],
    ),
  ),
]

/** By folder or file: one more than the highest level that it imports. Infinity for those that import each other. */
export function levelsOf(
  folders: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, number> {
  const levels = new Map<string, number>()
  const levelOf = (folder: string): number => {
    if (!levels.has(folder)) {
      levels.set(folder, Infinity)
      levels.set(folder, 1 + Math.max(0, ...[...(folders.get(folder) ?? [])].map(levelOf)))
    }
    return levels.get(folder)!
  }
  for (const folder of folders.keys()) levelOf(folder)
  return levels
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const graph = readImportGraph()
  for (const base of basesOf(graph)) {
    const folders = foldersOf(graph, base)
    const levels = levelsOf(folders)
    const width = Math.max(...[...levels.keys()].map((folder) => folder.length))
    console.log(base)
    for (const [folder, level] of [...levels].toSorted((a, b) => a[1] - b[1]))
      console.log(
        `  ${level}  ${folder.padEnd(width)}  ${[...folders.get(folder)!].map((name) => `→ ${name}`).join(' ')}`,
      )
  }
  console.log(`${graph.size} files, ${filesInCycles(graph).length} in a cycle`)
}
