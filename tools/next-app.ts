// The recipe for Next.js in a real app: built for production, type-checked by Next.js, started and called.
import { deepEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { createApp, run } from './packed.ts'
import { blocksOf } from './pages.ts'
import { startProgram } from './tutorial.ts'

process.env['NEXT_TELEMETRY_DISABLED'] = '1'
const readme = 'packages/fetch/README.md'
const page = 'export default function Page() {\n  return null\n}\n'
const layout = `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html><body>{children}</body></html>
}
`
const types = ['typescript@5.9.3', '@types/node@20', '@types/react@19']

/** Serves the API of the README in an app of its own, and throws if it answers otherwise than the README says. */
export async function checkNextApp(folder: string, tarballs: readonly string[]): Promise<void> {
  const files = blocksOf(readme).flatMap(({ file, text }) =>
    file === 'api.ts' || file === 'route.ts' ? [[`app/api/[...path]/${file}`, text] as const] : [],
  )
  const compilerOptions = {
    strict: true,
    jsx: 'preserve',
    moduleResolution: 'bundler',
    module: 'esnext',
    noEmit: true,
  }
  const tsconfig = JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true } })
  const app = {
    'app/page.tsx': page,
    'app/layout.tsx': layout,
    'tsconfig.json': tsconfig,
    ...Object.fromEntries(files),
  }
  await createApp(folder, app, [...tarballs, 'next@16', 'react@19', 'react-dom@19', ...types])
  await run(folder, join('node_modules', '.bin', 'next'), 'build')
  const { port, stop } = await startProgram(folder, 'npx next start')
  try {
    for (const [version, body] of [
      [1, { user: '7' }],
      [2, { id: '7', version: 2 }],
    ] as const) {
      const headers = { accept: `application/vnd.acme+json;version=${version}` }
      const response = await fetch(`http://localhost:${port}/api/users/7`, { headers })
      deepEqual(
        [await response.json(), response.headers.get('api-version')],
        [body, String(version)],
      )
      deepEqual(response.headers.get('vary')?.includes('Accept'), true)
    }
    const deleted = await fetch(`http://localhost:${port}/api/users/7`, { method: 'DELETE' })
    deepEqual([deleted.status, deleted.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
  } finally {
    await stop()
  }
}
