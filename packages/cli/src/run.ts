import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import type { Define } from './commands/define.ts'
import { type Io, UsageError, paint } from './output.ts'
import { isFolder } from './project/files.ts'

/** Runs one command. The exit code is 0, 1 for findings, or 2 for a mistake in the call or a file that cannot be loaded. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let code = 0
  const program = createProgram(io)
  try {
    await addCommands(program, args, async (body) => {
      code = await body(projectOf(program, io))
    })
    await program.parseAsync(args, { from: 'user' })
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

function createProgram({ out, err }: Io): Command {
  const { version } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as {
    version: string
  }
  return new Command('hv-router')
    .description(
      'Manage versioned routes: add versions, list, check, compare, and explain how a request is routed.',
    )
    .version(version)
    .option('--cwd <folder>', "your project's folder (default: the working directory)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void out.write(text),
      writeErr: (text) => void err.write(text),
    })
    .showSuggestionAfterError()
    .showHelpAfterError('(for details: hv-router <command> --help)')
}

function projectOf(program: Command, io: Io): Io {
  const named = program.opts<{ cwd?: string }>().cwd ?? ''
  const cwd = resolve(io.cwd, named)
  if (!isFolder(cwd))
    throw new UsageError(
      `no such folder: ${named}. Pass your project's folder with --cwd <folder>.`,
    )
  return { ...io, cwd }
}

interface CommandEntry {
  readonly description: string
  readonly example: string
  readonly load: () => Promise<{ readonly define: Define }>
}

const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    description:
      'add a route file and a first controller: Express, Fastify, Nest, Hono, Next.js, Workers, Bun or Deno',
    example: 'init --vendor acme',
    load: () => import('./commands/init/init.ts'),
  },
  bump: {
    description: 'write the next version of every controller',
    example: 'bump --only users,teams --routes',
    load: () => import('./commands/bump.ts'),
  },
  routes: {
    description: 'list the routes',
    example: "routes --for 2 --grep 'get /api/users'",
    load: () => import('./commands/routes.ts'),
  },
  check: {
    description: 'find what is missing, unreachable, or changed since its release',
    example: 'check --lock',
    load: () => import('./commands/check/check.ts'),
  },
  diff: {
    description: 'show what changes for a client between two versions',
    example: 'diff 1 2 --documents documents.ts --guide',
    load: () => import('./commands/diff/diff.ts'),
  },
  report: {
    description: 'write a page about all versions: dates, resources, findings and clients',
    example: 'report --documents documents.ts --usage usage.json',
    load: () => import('./commands/report/report.ts'),
  },
  explain: {
    description: 'explain how a request is routed',
    example: "explain GET /api/users/7 --accept 'application/vnd.acme+json;version=2'",
    load: () => import('./commands/explain.ts'),
  },
  openapi: {
    description: 'write the OpenAPI document of each version',
    example: 'openapi --documents src/documents.ts --out openapi',
    load: () => import('./commands/openapi.ts'),
  },
}

/** All commands are listed. Only the one that is called is loaded. */
async function addCommands(
  program: Command,
  args: readonly string[],
  start: Parameters<Define>[1],
): Promise<void> {
  for (const [name, { description, example, load }] of Object.entries(commands)) {
    const command = new Command(name).description(description).copyInheritedSettings(program)
    program.addCommand(
      command.addHelpText('after', `\nExample:\n  $ npx @hv/router-cli ${example}`),
    )
    // Only the types are those of `extra-typings`.
    if (args.includes(name))
      (await load()).define(command as unknown as Parameters<Define>[0], start)
  }
}
