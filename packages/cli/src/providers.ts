import { type ControllerFolder, type Source, exportedClassOf, membersOf, readSource } from './sources.ts'

/** What the controller files say of their actions. */
export interface Providers {
  /** The version whose controller file holds an action, walking up what its classes extend; null when none does. */
  providerOf(version: number, controller: string, action: string): number | null
  has(version: number, controller: string): boolean
}

/** Reads controllers as text. A class that extends the one of the version before has that one's actions, too. */
export function createProviders(folder: ControllerFolder): Providers {
  const files = new Map(folder.files.map((file) => [`${file.version} ${file.key}`, file]))
  const known = new Map<string, Content | null>()

  return { providerOf, has: (version, controller) => files.has(`${version} ${controller}`) }

  function providerOf(version: number, controller: string, action: string): number | null {
    const content = contentOf(version, controller)
    if (content === null) return null
    const { members, parent, providers } = content
    if (members === null || members.has(action)) return version
    if (parent === null) return null
    if (parent === 'elsewhere') return version
    let provider = providers.get(action)
    if (provider === undefined) providers.set(action, (provider = providerOf(parent, controller, action)))
    return provider
  }

  function contentOf(version: number, controller: string): Content | null {
    const key = `${version} ${controller}`
    const file = files.get(key)
    let content = known.get(key)
    if (content === undefined) known.set(key, (content = file === undefined ? null : read(file.path, version)))
    return content
  }
}

interface Content {
  /** Null for a file without a class to be seen: it is taken to hold every action. */
  readonly members: ReadonlySet<string> | null
  /** The version whose class it extends; null when it extends none. */
  readonly parent: number | 'elsewhere' | null
  /** What was found out about the parent's actions. */
  readonly providers: Map<string, number | null>
}

function read(path: string, version: number): Content {
  const source = readSource(path)
  const exported = exportedClassOf(source)
  if (exported === null) return { members: null, parent: null, providers: new Map() }
  const parent = exported.isSubclass ? (parentVersion(source, version) ?? 'elsewhere') : null
  return { members: membersOf(source, exported), parent, providers: new Map() }
}

/** `import … from '../../v1/users_controller.js'` → 1. */
function parentVersion({ text }: Source, version: number): number | null {
  const versions = [...text.matchAll(/['"](?:\.\.\/)+v(\d+)\/[^'"]*_controller(?:\.[cm]?[jt]s)?['"]/g)].map(([, n]) =>
    Number(n),
  )
  return versions.findLast((one) => one < version) ?? null
}
