import { pathToFileURL } from 'node:url'
import { RouterError } from '@hv/router'
import { type JitiOptions, createJiti } from 'jiti'
import { type Io, UsageError, display, printError } from '../output.ts'

/**
 * Runs a module of the project, in TypeScript or JavaScript, and returns its exports. What it
 * prints goes to stderr, so that piped output only contains the command's result.
 *
 * @throws UsageError, in one line, if the module throws
 */
export async function importModule(
  io: Io,
  path: string,
  options: JitiOptions = {},
): Promise<unknown> {
  const name = display(io, path)
  const { write } = process.stdout
  process.stdout.write = process.stderr.write.bind(process.stderr)
  // The module may call process.exit(), or wait for something that never comes.
  const reportExit = () => {
    printError(io, `${name} ended the process while it was loaded.`)
    process.exitCode = 2
  }
  process.once('exit', reportExit)
  const jiti = createJiti(pathToFileURL(path).href, { tsconfigPaths: true, ...options })
  try {
    return await jiti.import(path)
  } catch (error) {
    if (error instanceof RouterError) throw new UsageError(error.message)
    throw new UsageError(`${name} couldn't be loaded: ${reasonOf(io, error)}`)
  } finally {
    process.off('exit', reportExit)
    process.stdout.write = write
  }
}

function reasonOf(io: Io, error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error)
  // jiti puts a syntax error's place on the last line: `ParseError: …`, then `/routes.ts:3:0`. If
  // it knows no line, it's 0.
  const syntaxError = /^(?:ParseError|undefined): (.*?)\s*\n\s*(\S.*?)(:[1-9]\d*)?(?::\d+)+$/
  const [, text, path, line = ''] = syntaxError.exec(message) ?? []
  return path === undefined ? message.split('\n')[0]! : `${text} (${display(io, path)}${line})`
}
