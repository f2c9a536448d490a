import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { publishedPackages, root } from './packed.ts'

const repository = 'https://github.com/hv-router/router'
const packages = [...publishedPackages()]

it.each(packages)('%s can be published', (path, manifest) => {
  expect(manifest).toMatchObject({
    license: 'MIT',
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: 'git', url: `git+${repository}.git`, directory: path },
    publishConfig: { access: 'public' },
    engines: { node: '>=20.19.0' },
    files: expect.arrayContaining(['dist', 'CHANGELOG.md', 'LICENSE']),
  })
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE'])
    expect(existsSync(join(root, path, file)), file).toBe(true)
  // Changesets would raise the package to 1.0 with the first minor of a narrower range.
  const peers = manifest['peerDependencies'] as Record<string, string> | undefined
  expect(peers?.['@hv/router'] ?? 'workspace:>=0.1.0 <1.0.0').toBe('workspace:>=0.1.0 <1.0.0')
})

it('share one version', () => {
  expect(packages.length).toBeGreaterThan(5)
  expect(new Set(packages.map(([, { version }]) => version)).size).toBe(1)
})
