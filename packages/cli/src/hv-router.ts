#!/usr/bin/env node
import { endIdleWorker } from './route-file/load.ts'
import { run } from './run.ts'

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
