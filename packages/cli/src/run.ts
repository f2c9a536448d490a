import { readFileSync } from 'node:fs'
import { RouterError } from '@hv/router'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { bump } from './bump.ts'
import { check } from './check.ts'
import { diff } from './diff.ts'
import { explain } from './explain.ts'
import { type Io, UsageError, paint } from './io.ts'
import { routes } from './routes.ts'

/**
 * Runs one command.
 *
 * @returns the exit code: 0 fine, 1 findings, 2 a mistake in the call or a file that cannot be loaded
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let code = 0
  const started = performance.now()
  const program = createProgram(io, async (action) => {
    code = await action
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    const seconds = (performance.now() - started) / 1000
    if (seconds > 2 && io.err.isTTY === true) io.err.write(paint(io.err, 'dim', `${seconds.toFixed(1)} s\n`))
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof UsageError || error instanceof RouterError)) throw error
    io.err.write(`${paint(io.err, 'red', 'error')}: ${error.message}\n`)
    return 2
  }
}

type Done = (action: Promise<number>) => Promise<void>

function createProgram(io: Io, done: Done): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const program = new Command('hv-router')
    .description('Versioned routes: the next version, lists, checks, diffs, and why a request is answered as it is.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void io.out.write(text), writeErr: (text) => void io.err.write(text) })
    .showSuggestionAfterError()
    .showHelpAfterError('(hv-router <command> --help says more)')

  const command = (usage: string, description: string, example: string): Command =>
    program.command(usage).description(description).addHelpText('after', `\nExample:\n  $ ${example}`)
  const routeFile = ['--routes <file>', 'the route file (default: src/routes.ts and the like)'] as const
  const controllers = [
    '--controllers <folder>',
    'the folder that holds api/v1 (default: controllers, src/controllers)',
  ] as const
  const json = ['--json', 'prints JSON'] as const

  command('bump', 'writes the next version of every controller', 'hv-router bump --only users,teams --routes')
    .option(...controllers)
    .option('--only <controllers>', 'only these: users,admin/teams', list)
    .option('--to <version>', 'the version to write (default: one above the highest)', toVersion)
    .option('--routes [file]', 'writes the version into the route file, too')
    .option('--dry-run', 'says what would be written, and writes nothing')
    .option('--force', 'writes over files that are there')
    .action((options: object) => done(bump(io, options)))
  command('routes', 'lists the routes', 'hv-router routes --for 2 --verb get --path users')
    .option(...routeFile)
    .option(...controllers)
    .option('--for <versions>', 'only these versions: 2 or 1,3', versions)
    .option('--resource <name>', 'only this controller: users, admin/users')
    .option('--verb <method>', 'only this method: get')
    .option('--path <text>', 'only paths that hold this text')
    .option(...json)
    .action((options: object) => done(routes(io, options)))
  command('check', 'finds what is missing, unreachable, or changed after its release', 'hv-router check --lock')
    .option(...routeFile)
    .option(...controllers)
    .option('--lock [file]', 'compares with the released versions (default: routes.lock.json)')
    .option('--update-lock', 'notes all declared versions as released')
    .option(...json)
    .action((options: object) => done(check(io, options)))
  command('diff', 'what a client finds that moves from one version to another', 'hv-router diff 1 2 --markdown')
    .argument('<from>', 'a version', toVersion)
    .argument('<to>', 'a version', toVersion)
    .option(...routeFile)
    .option(...controllers)
    .option('--markdown', 'for a changelog')
    .option(...json)
    .action((from: number, to: number, options: object) => done(diff(io, from, to, options)))
  command(
    'explain',
    'tells how a request is decided',
    "hv-router explain GET /api/users/7 --accept 'application/vnd.acme+json;version=2'",
  )
    .argument('<method>', 'GET')
    .argument('<path>', '/api/users/7')
    .option('--accept <header>', 'the Accept header')
    .option(...routeFile)
    .option(...json)
    .action((method: string, path: string, options: object) => done(explain(io, method, path, options)))
  // What a program sets after its commands exist does not reach them.
  for (const one of program.commands) one.copyInheritedSettings(program)
  return program
}

const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
const versions = (text: string): readonly number[] => list(text).map(toVersion)
function toVersion(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('A version is a whole number from 1.')
  return Number(text)
}
