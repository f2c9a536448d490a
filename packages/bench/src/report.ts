// Prints the tables of a benchmark, and saves them for the documentation's page: `npm run bench --
// express -- --save`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

type Rows = Readonly<Record<string, Readonly<Record<string, number | string>>>>

export interface Report {
  table(title: string, rows: Rows): void
  /** Saves the tables if the command has `--save`. */
  end(): void
}

const file = join(import.meta.dirname, '../../../docs/benchmarks.json')
const isSaved = process.argv.includes('--save')
/**
 * Starts a report.
 *
 * @param name - the script of package.json: `express`
 * @param about - what the numbers are
 * @param chosen - the arguments that choose what's measured
 */
export function createReport(name: string, about: string, chosen: readonly string[] = []): Report {
  const tables: { readonly title: string; readonly rows: Rows }[] = []
  console.log(`Node ${process.version}, ${about}`)
  return {
    table(title, rows) {
      tables.push({ title, rows })
      console.log(`\n${title}`)
      console.table(rows)
    },
    end() {
      if (!isSaved) return
      const settings = Object.entries(process.env).filter(([key]) => key.startsWith('BENCH_'))
      const quoted = chosen.map((word) => (/^[\w@/-]+$/.test(word) ? word : `'${word}'`))
      const words = ['npm run bench --', name, ...(quoted.length > 0 ? ['--', ...quoted] : [])]
      const command = [...settings.map(([key, value]) => `${key}=${value}`), ...words].join(' ')
      const saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {}
      const machine = `${cpus().length} × ${cpus()[0]!.model.trim()}, ${process.platform} ${process.arch}`
      const date = new Date().toISOString().slice(0, 10)
      const report = { command, about, node: process.version, machine, date, tables }
      writeFileSync(file, `${JSON.stringify({ ...saved, [name]: report }, null, 2)}\n`)
    },
  }
}
