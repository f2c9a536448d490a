// The compilers of the tests: TypeScript 7, and with `TEST_ALL=1` TypeScript 6, which takes four times as long. It runs in
// this process: it starts once, gets faster, and reads each library once.
import { spawnSync } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import ts from 'typescript'
import { isAll } from './test-all.ts'

interface Compiled {
  /** The errors, one a line, as `tsc` prints them without a terminal. */
  readonly errors: string
  readonly instantiations: number
}

const tsc = resolve(import.meta.dirname, 'typescript7/tsc.js')

/** Compiles a project, whose path is that of its `tsconfig.json`. */
export const compilers: Readonly<Record<string, (project: string) => Compiled>> = {
  ...(isAll && { 'TypeScript 6': compileWith6 }),
  'TypeScript 7': compileWith7,
}

function compileWith7(project: string): Compiled {
  const args = [tsc, '-p', project, '--extendedDiagnostics']
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: dirname(project) })
  const end = stdout.search(/^Files: /m)
  return {
    errors: stdout.slice(0, end),
    instantiations: Number(/^Instantiations: +(\d+)$/m.exec(stdout)![1]),
  }
}

const root = resolve(import.meta.dirname, '..')
const registry = ts.createDocumentRegistry()
const parsed = new Map<string, ts.SourceFile | undefined>()

function compileWith6(project: string): Compiled {
  const errors: ts.Diagnostic[] = []
  const onUnRecoverableConfigFileDiagnostic = (error: ts.Diagnostic) => errors.push(error)
  const config = ts.getParsedCommandLineOfConfigFile(
    project,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic },
  )!
  errors.push(...config.errors)
  const host = ts.createCompilerHost(config.options)
  const { getSourceFile } = host
  host.getSourceFile = (path, ...rest) => {
    if (!path.startsWith(root)) return getSourceFile(path, ...rest)
    const key = `${path} ${registry.getKeyForCompilationSettings(config.options)}`
    if (!parsed.has(key)) parsed.set(key, getSourceFile(path, ...rest))
    return parsed.get(key)
  }
  const program = ts.createProgram(config.fileNames, config.options, host)
  errors.push(
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
  )
  errors.push(...program.getSemanticDiagnostics(), ...program.emit().diagnostics)
  return {
    errors: ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(errors), {
      getCurrentDirectory: () => dirname(project),
      getCanonicalFileName: (name) => name,
      getNewLine: () => '\n',
    }),
    instantiations: program.getInstantiationCount(),
  }
}
