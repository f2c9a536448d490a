#!/usr/bin/env node
import { excerpt, printError } from './output.ts'
import { run } from './run.ts'

const { stdout: out, stderr: err } = process

// `hv-router routes | head` closes the pipe early.
out.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

// For an error that nobody catches, Node would print a line of source, which can be a whole bundle.
process.on('uncaughtException', ({ stack = '' }) => {
  printError({ err }, excerpt(stack))
  process.exit(2)
})

async function main(): Promise<void> {
  const code = await run(process.argv.slice(2), { cwd: process.cwd(), out, err })
  // A route file may leave a timer running or a connection open.
  out.write('', () => err.write('', () => process.exit(code)))
}
void main()
