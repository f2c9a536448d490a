import { defineConfig } from 'tsup'

const bundle = {
  noExternal: [/^@hv\//, 'fastify-plugin'],
  removeNodeProtocol: false, // node:test has no other name
  silent: true,
  esbuildOptions: (options: { conditions?: string[] }) => {
    options.conditions = ['@hv/source']
  },
}

export default defineConfig([
  { ...bundle, entry: ['src/run.ts', 'src/reporter.ts'], format: 'esm' },
  // Fastify's tests are CommonJS, and this is loaded before them.
  { ...bundle, entry: ['src/preload.ts'], format: 'cjs' },
])
