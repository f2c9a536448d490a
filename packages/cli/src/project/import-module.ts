import { pathToFileURL } from 'node:url'
import { RouterError } from '@hv/router'
import { type JitiOptions, createJiti } from 'jiti'
import { type Io, UsageError, display, excerpt, printError } from '../output.ts'

/**
 * Runs a module of the project, in TypeScript or JavaScript, and returns its exports. What it
 * prints goes to stderr, so that piped output only contains the command's result.
 *
 * @throws UsageError, in a few lines, if the module or one that it imports can't be loaded
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
  const load = async (tsconfigPaths: boolean) =>
    createJiti(pathToFileURL(path).href, { ...options, tsconfigPaths }).import(path)
  let hint = ''
  try {
    return await load(true).catch((error: unknown) => {
      if (!/getTsconfig|parseTsconfig|createPathsMatcher/.test(stackOf(error))) throw error
      // Node and tsx run the file as well, so this only matters if an import needs `paths`.
      hint = `\nIts tsconfig.json can't be read: ${reasonOf(io, error)}`
      return load(false)
    })
  } catch (error) {
    if (error instanceof RouterError) throw new UsageError(error.message)
    throw new UsageError(`${name} couldn't be loaded: ${reasonOf(io, error)}${hint}`)
  } finally {
    process.off('exit', reportExit)
    process.stdout.write = write
  }
}

const stackOf = (error: unknown): string => String((error as Error | null)?.stack)

/** An error's message, and its place: `no database (src/database.ts:7)`. */
function reasonOf(io: Io, error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error)
  // jiti puts a syntax error's place on the last line: `ParseError: …`, then `/routes.ts:3:0`. If
  // it knows no line, it's 0.
  const syntaxError = /^(?:ParseError|undefined): (.*?)\s*\n\s*(\S.*?)(:[1-9]\d*)?(?::\d+)+$/
  // The first file on the stack that isn't the loader's.
  const frame =
    /^( +)at (?!.*[\\/](?:jiti|tsx)[\\/](?:dist|lib)[\\/])(?:.*\()?(?:file:\/\/)?((?:\/|\w:\\).*)(:\d+):\d+\)?$/m
  const place = syntaxError.exec(message) ?? frame.exec(stackOf(error))
  const [, text, path, line = ''] = place ?? []
  // Node adds the files that required a missing one.
  const reason = excerpt(text?.trim() || message.split('\nRequire stack:')[0]!)
  return path === undefined || path === import.meta.filename
    ? reason
    : reason.replace(/$/m, () => ` (${display(io, path)}${line})`)
}
