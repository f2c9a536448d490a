// What bump writes for TypeScript compiles with the settings with which its predecessor compiles.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compilers } from '../../../../tools/compilers.ts'
import { createProject } from '../project.ts'

const modules = {
  users: `export interface User { id: string }
export class UsersController<T extends User = User> {
  index(): T[] { return [] }
}
`,
  teams: `export abstract class TeamsController {
  abstract name: string
  index(): string { return this.name }
}
export type { User } from './user'
`,
  keys: 'export default class { show(): string { return "key" } }\n',
  plain: 'export const plain = { index: (): string[] => [] }\nexport type Plain = typeof plain\n',
  whole: `interface Controller { index(): string[] }
const whole: Controller = { index: () => [] }
export default whole
export const limit: number = 1
`,
  made: 'export const createMade = (name: string): { index(): string } => ({ index: () => name })\n',
  actions: 'export function index(): string[] { return [] }\n',
  kept: 'export class KeptController { private constructor() {} }\n',
  generic: 'export class GenericController<T> { index(): T[] { return [] } }\n',
}
const assigned = {
  users: 'class UsersController { index(): string[] { return [] } }\nexport = UsersController\n',
  plain: 'const plain = { index: (): string[] => [] }\nexport = plain\n',
}
const strictest = {
  strict: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  declaration: true,
  emitDeclarationOnly: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  exactOptionalPropertyTypes: true,
}

it.each<[what: string, options: object, files: Readonly<Record<string, string>>, type?: string]>([
  ['nodenext', { module: 'nodenext' }, modules],
  [
    'nodenext with verbatimModuleSyntax and erasableSyntaxOnly',
    { module: 'nodenext', verbatimModuleSyntax: true, erasableSyntaxOnly: true },
    modules,
  ],
  ['nodenext with .ts imports', { module: 'nodenext', allowImportingTsExtensions: true }, modules],
  [
    'nodenext with rewriteRelativeImportExtensions',
    { module: 'nodenext', rewriteRelativeImportExtensions: true },
    modules,
  ],
  [
    'a bundler',
    { module: 'esnext', moduleResolution: 'bundler', verbatimModuleSyntax: true },
    modules,
  ],
  ['CommonJS from import and export', { module: 'nodenext' }, modules, 'commonjs'],
  ['CommonJS', { module: 'nodenext' }, assigned, 'commonjs'],
  [
    'CommonJS with verbatimModuleSyntax',
    { module: 'nodenext', verbatimModuleSyntax: true, isolatedDeclarations: false },
    assigned,
    'commonjs',
  ],
])('with %s', async (_what, options, files, type = 'module') => {
  const controllers = Object.entries(files).map(([name, text]) => {
    const extension =
      'rewriteRelativeImportExtensions' in options || 'allowImportingTsExtensions' in options
        ? '.ts'
        : type === 'commonjs' || 'moduleResolution' in options
          ? ''
          : '.js'
    return [
      `controllers/api/v1/${name}_controller.ts`,
      text.replace("'./user'", `'./user${extension}'`),
    ]
  })
  const compilerOptions = {
    target: 'es2023',
    skipLibCheck: true,
    types: [],
    outDir: 'out',
    rootDir: '.',
    ...strictest,
    ...options,
  }
  const project = createProject({
    ...Object.fromEntries(controllers),
    'controllers/api/v1/user.ts': 'export interface User { id: string }\n',
    'package.json': JSON.stringify({ type }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['controllers'] }),
  })
  for (const version of [2, 3]) {
    expect(await project.hv('bump')).toMatchObject({ code: 0, err: '' })
    expect(project.list(`controllers/api/v${version}`)).toHaveLength(controllers.length)
  }
  for (const [name, compile] of Object.entries(compilers))
    expect(compile(join(project.folder, 'tsconfig.json')).errors, name).toBe('')
})
