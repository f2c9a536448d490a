import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { bumpCommand } from './commands/bump/command.ts'
import { checkCommand } from './commands/check/command.ts'
import { diffCommand } from './commands/diff/command.ts'
import { explainCommand } from './commands/explain/command.ts'
import { initCommand } from './commands/init/command.ts'
import { mapCommand } from './commands/map/command.ts'
import { openapiCommand } from './commands/openapi/command.ts'
import { retireCommand } from './commands/retire/command.ts'
import { routesCommand } from './commands/routes/command.ts'
import { type Io, UsageError, paint } from './output.ts'

/**
 * Runs one command.
 *
 * @returns the exit code: 0 fine, 1 findings, 2 a mistake in the call or a file that cannot be loaded
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const started = performance.now()
  let code = 0
  const program = createProgram(io, (exitCode) => {
    code = exitCode
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    const seconds = (performance.now() - started) / 1000
    if (seconds > 2 && io.err.isTTY === true) io.err.write(paint(io.err, 'dim', `${seconds.toFixed(1)} s\n`))
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof UsageError) && !isOfFile(error)) throw error
    io.err.write(`${paint(io.err, 'red', 'error')}: ${error.message}\n`)
    return 2
  }
}

/** A file or folder that cannot be read or written: `EISDIR: illegal operation on a directory, open '/app/src'`. */
const isOfFile = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'path' in error && 'syscall' in error

/** The definitions are here; what a command does is loaded when it runs. */
function createProgram(outer: Io, done: (code: number) => void): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const program = new Command('hv-router')
    .description(
      'Manage versioned routes: add and retire versions, list, check, compare, and explain how a request is routed.',
    )
    .version(version)
    .option('--cwd <folder>', 'the folder of the project (default: the working directory)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void outer.out.write(text), writeErr: (text) => void outer.err.write(text) })
    .showSuggestionAfterError()
    .showHelpAfterError('(for details: hv-router <command> --help)')
  const io = (): Io => {
    const named = program.opts<{ cwd?: string }>().cwd ?? ''
    const cwd = resolve(outer.cwd, named)
    if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UsageError(`there is no folder ${named}. Name the folder of the project with --cwd <folder>.`)
    return { ...outer, cwd }
  }

  const commands = [
    initCommand().action(async (options) => done(await (await import('./commands/init/init.ts')).init(io(), options))),
    bumpCommand().action(async (options) => done(await (await import('./commands/bump/bump.ts')).bump(io(), options))),
    retireCommand().action(async (retired, options) =>
      done(await (await import('./commands/retire/retire.ts')).retire(io(), retired, options)),
    ),
    routesCommand().action(async (options) =>
      done(await (await import('./commands/routes/routes.ts')).routes(io(), options)),
    ),
    checkCommand().action(async (options) =>
      done(await (await import('./commands/check/check.ts')).check(io(), options)),
    ),
    diffCommand().action(async (from, to, options) =>
      done(await (await import('./commands/diff/diff.ts')).diff(io(), from, to, options)),
    ),
    explainCommand().action(async (method, path, options) =>
      done(await (await import('./commands/explain/explain.ts')).explain(io(), method, path, options)),
    ),
    mapCommand().action(async (options) => done(await (await import('./commands/map/map.ts')).map(io(), options))),
    openapiCommand().action(async (options) =>
      done(await (await import('./commands/openapi/openapi.ts')).openapi(io(), options)),
    ),
  ]
  for (const command of commands) program.addCommand((command as unknown as Command).copyInheritedSettings(program))
  return program
}
