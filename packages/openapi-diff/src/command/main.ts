#!/usr/bin/env node
import { appendFileSync, readFileSync } from 'node:fs'
import { run } from './run.ts'

const { GITHUB_STEP_SUMMARY } = process.env

process.exitCode = run(process.argv.slice(2), {
  stdin: () => readFileSync(0),
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  addSummary: (text) => GITHUB_STEP_SUMMARY && appendFileSync(GITHUB_STEP_SUMMARY, text),
})
