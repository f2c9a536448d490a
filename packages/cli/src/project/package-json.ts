import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Io, UsageError } from '../output.ts'
import { readJson } from './json.ts'

/** The parts of a package.json that the commands use. */
export interface PackageJson {
  readonly name: string | undefined
  readonly isModule: boolean
  readonly main: string | undefined
  readonly dependencies: ReadonlySet<string>
}

export function readPackageJson(io: Io): PackageJson {
  const path = join(io.cwd, 'package.json')
  if (!existsSync(path))
    throw new UsageError(
      'no package.json here. Run the command in your project, or pass its folder with --cwd <folder>.',
    )
  const content = (readJson(io, path) ?? {}) as Record<string, unknown>
  const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  return {
    name: typeof content['name'] === 'string' ? content['name'] : undefined,
    isModule: content['type'] === 'module',
    main: typeof content['main'] === 'string' ? content['main'] : undefined,
    dependencies: new Set(
      groups.flatMap((group) => Object.keys((content[group] as object | undefined) ?? {})),
    ),
  }
}
