// TypeScript 6's language service, which editors ask for completions and for what they show on hover.
import { join } from 'node:path'
import ts from 'typescript'

const parsed = ts.createDocumentRegistry()

/** A service for one file in a folder. Nothing is written. */
export function serviceOf(folder: string, text: string, types: readonly string[] = []) {
  const file = join(folder, 'edited-file.ts')
  const readFile = (path: string) => (path === file ? text : ts.sys.readFile(path))
  const host: ts.LanguageServiceHost = {
    fileExists: ts.sys.fileExists,
    readFile,
    ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
    getScriptFileNames: () => [file],
    getScriptVersion: (path) => (path === file ? text : '1'),
    getScriptSnapshot(path) {
      const content = readFile(path)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getCompilationSettings: () => ({
      strict: true,
      noEmit: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ESNext,
      allowImportingTsExtensions: true,
      customConditions: ['@hv/source'],
      types: [...types],
    }),
  }
  return { file, service: ts.createLanguageService(host, parsed) }
}
