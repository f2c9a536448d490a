import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import type { Command as TypedCommand, CommandModule } from './commands/define.ts'
import { type Io, UsageError, npx, printError, writeLine } from './output.ts'
import { isFolder } from './project/files.ts'

/**
 * Runs one command. The exit code is 0, 1 for findings, or 2 for a mistake in the call or for a
 * file that can't be loaded.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const program = createProgram(io)
  let code = 0
  try {
    // All commands are added, so that help lists them, but only the one that's called is loaded.
    for (const [name, { description, example, load }] of Object.entries(commands)) {
      const command = new Command(name).description(description).copyInheritedSettings(program)
      command.addHelpText('after', `\nExample:\n  $ ${npx} ${example}`)
      program.addCommand(command)
      if (!args.includes(name)) continue
      const module = await load()
      // `extra-typings` differ from commander in their types only.
      module.declare(command as unknown as TypedCommand)
      command.action(async (...values) => {
        code = await module.run(projectOf(program, io), ...(values as never[]))
      })
    }
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    // A file or folder can't be read or written: `EISDIR: illegal operation on a directory, …`.
    const isFileError = error instanceof Error && 'path' in error && 'syscall' in error
    if (!(error instanceof UsageError || isFileError)) throw error
    printError(io, error.message)
    return 2
  }
}

function createProgram(io: Io): Command {
  const { out, err } = io
  const packageFile = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(packageFile) as { version: string }
  return new Command('hv-router')
    .description(
      "Work with an API's versions: add one, list and compare them, check them in CI, " +
        'and explain how a request is routed.',
    )
    .version(version)
    .option('--cwd <folder>', "your project's folder (default: the working directory)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void out.write(text),
      writeErr: (text) => void err.write(text),
      outputError: (text) => {
        const [message, ...hints] = text
          .replace(/^error:/, '')
          .trimEnd()
          .split('\n')
        printError(io, message!.trim())
        for (const hint of hints) writeLine(err, hint)
      },
    })
    .showSuggestionAfterError()
    .showHelpAfterError(`(for details: ${npx} <command> --help)`)
}

function projectOf(program: Command, io: Io): Io {
  const { cwd = '' } = program.opts<{ cwd?: string }>()
  const folder = resolve(io.cwd, cwd)
  if (!isFolder(folder))
    throw new UsageError(`no such folder: ${cwd}. Pass your project's folder with --cwd <folder>.`)
  return { ...io, cwd: folder }
}

interface CommandEntry {
  readonly description: string
  readonly example: string
  readonly load: () => Promise<CommandModule>
}

const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    description:
      'add a route file and a first controller: Express, Fastify, Nest, Hono, Next.js, Workers, Bun or Deno',
    example: 'init --vendor acme',
    load: () => import('./commands/init/init.ts'),
  },
  routes: {
    description: 'list the routes',
    example: 'routes --for 2',
    load: () => import('./commands/routes.ts'),
  },
  explain: {
    description: 'explain how a request is routed',
    example: "explain GET /api/users/7 --accept 'application/vnd.acme+json;version=2'",
    load: () => import('./commands/explain.ts'),
  },
  bump: {
    description: 'write the next version of every controller',
    example: 'bump',
    load: () => import('./commands/bump.ts'),
  },
  check: {
    description: "find what's unreachable, ends soon, or changed since its release",
    example: 'check --lock --documents documents.ts',
    load: () => import('./commands/check/check.ts'),
  },
  diff: {
    description: 'show what changes for a client between two versions',
    example: 'diff 1 2 --documents documents.ts --guide',
    load: () => import('./commands/diff/diff.ts'),
  },
  openapi: {
    description: 'write the OpenAPI document of each version',
    example: 'openapi --documents documents.ts --out openapi',
    load: () => import('./commands/openapi.ts'),
  },
  report: {
    description: 'write a page about all versions: dates, resources, findings and clients',
    example: 'report --documents documents.ts --usage usage.json',
    load: () => import('./commands/report/report.ts'),
  },
}
