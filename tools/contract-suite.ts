// The conformance suite as programs that run outside the repository, against installed packages.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'tsup'
import { root } from './packed.ts'

type Plugin = NonNullable<
  NonNullable<Parameters<typeof build>[0]>['esbuildPlugins'] & readonly unknown[]
>[number]

const contract: Readonly<Record<string, string>> = {
  '@hv/router-contract': 'packages/contract/src/index.ts',
  '@hv/router-contract/apps': 'packages/contract/src/apps.ts',
}

/**
 * Writes the suite of an adapter to a folder, as one file. The file imports the packages, the framework and vitest.
 *
 * @param replaced - by file name: the text of modules that replace those of the repository
 */
export async function writeSuite(
  adapter: string,
  source: string,
  folder: string,
  replaced: Readonly<Record<string, string>> = {},
): Promise<void> {
  await bundle(join(root, 'packages', adapter, 'test', source), folder, {
    name: 'suite',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^.]/ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined
        return path in contract ? { path: join(root, contract[path]!) } : { path, external: true }
      })
      onResolve({ filter: /\/src\/index\.ts$/ }, ({ importer }) =>
        importer.includes(`/${adapter}/test/`)
          ? { path: `@hv/router-${adapter}`, external: true }
          : undefined,
      )
      onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path }) =>
        basename(path) in replaced ? { path: basename(path), namespace: 'replaced' } : undefined,
      )
      onLoad({ filter: /./, namespace: 'replaced' }, ({ path }) => ({
        contents: replaced[path]!,
        resolveDir: folder,
        loader: 'js',
      }))
    },
  })
}

/** Writes a program of the runtime tests to the folder of an app. It contains the packages that the app has installed. */
export async function writeProgram(name: 'server' | 'worker', app: string): Promise<void> {
  await bundle(join(root, `packages/fetch/test/runtimes/${name}.ts`), app, {
    name: 'program',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^@hv\/|\/src\/index\.ts$/ }, ({ path, importer, kind, pluginData }) => {
        if (path in contract) return { path: join(root, contract[path]!) }
        if (pluginData === 'packed') return undefined
        const isAdapter = path.endsWith('/src/index.ts') && importer.includes('/fetch/test/')
        if (!isAdapter && !path.startsWith('@hv/')) return undefined
        return resolve(isAdapter ? '@hv/router-fetch' : path, {
          kind,
          resolveDir: app,
          pluginData: 'packed',
        })
      })
    },
  })
}

/** Throws if the file contains a source of the packages that are tested. */
async function bundle(entry: string, folder: string, plugin: Plugin): Promise<void> {
  const name = basename(entry, '.ts')
  await build({
    entry: { [name]: entry },
    outDir: folder,
    format: 'esm',
    platform: plugin.name === 'suite' ? 'node' : 'neutral',
    noExternal: [/./],
    esbuildPlugins: [plugin],
    outExtension: () => ({ js: '.js' }),
    config: false,
    clean: false,
    dts: false,
    silent: true,
  })
  const [source] =
    /^\/\/ \S*packages\/(?!contract\/)\w+\/src\/.*/m.exec(
      readFileSync(join(folder, `${name}.js`), 'utf8'),
    ) ?? []
  if (source !== undefined)
    throw new Error(`${name}.js contains a source of the repository: ${source}`)
}
