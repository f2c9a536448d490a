#!/usr/bin/env node
import { endIdleWorker, startIdleWorker } from './route-file/load.ts'

// Most commands load a route file: its worker starts while the rest of the program is loaded.
if (/^(?!init$)\w/.test(process.argv[2] ?? '')) startIdleWorker()
const { run } = await import('./run.ts')

// `hv-router routes | head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  out: process.stdout,
  err: process.stderr,
})
await endIdleWorker()
