// The command: where documents come from, how findings are printed, and exit codes.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe as suite, expect, it } from 'vitest'
import { findProgram } from '../../../tools/find-program.ts'
import packageFile from '../package.json' with { type: 'json' }
import schema from '../schema/v1/findings.json' with { type: 'json' }
import { run } from '../src/command/run.ts'

// Without git, there's no repository to read from.
const describe = suite.skipIf(findProgram('git') === undefined)
const folder = mkdtempSync(join(tmpdir(), 'openapi-diff-'))
const home = process.cwd()
const git = (...args: readonly string[]): void => {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.test', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' })
}
const write = (path: string, text: string | Uint8Array): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function diff(...args: readonly string[]) {
  return diffWith(args, () => Buffer.from(userFile('boolean')))
}

function diffWith(args: readonly string[], stdin: () => Uint8Array) {
  const printed = { out: '', err: '', summary: '' }
  const code = run(args, {
    stdin,
    out: (text) => (printed.out += text),
    error: (text) => (printed.err += text),
    addSummary: (text) => (printed.summary += text),
  })
  return { code, ...printed }
}

const userFile = (type: string, name = 'name'): string =>
  JSON.stringify({
    openapi: '3.1.0',
    paths: {
      '/users': {
        get: {
          responses: {
            200: {
              content: {
                'application/json': {
                  schema: { type: 'object', properties: { [name]: { type } } },
                },
              },
            },
          },
        },
      },
    },
  })
const paths = `openapi: 3.0
paths:
  /users:
    get:
      responses:
        '200':
          content:
            application/json:
              schema: { $ref: schemas/user.yaml }
      x-samples: [{ $ref: ../sample.ts }, { $ref: schemas/sample.ts }]
`
const user = (type: string): string => `type: object
properties:
  name: { type: ${type}, example: { $ref: missing.yaml } }
  friend: { $ref: '#' }
`

beforeAll(() => {
  process.chdir(folder)
  git('init', '-q')
  write('old.json', userFile('string'))
  write('new.json', userFile('integer'))
  write('large.json', userFile('string') + ' '.repeat(2 ** 21))
  write('api/paths.yaml', paths)
  write('api/schemas/user.yaml', user('string'))
  write('broken.yaml', 'openapi: 3.1.0\npaths: { a: 1, a: 2 }\n')
  write('two.yaml', 'openapi: 3.1.0\npaths: {}\n---\nopenapi: 3.1.0\n')
  write('tabs.yaml', 'paths:\n\t/a: {}\n')
  write('indent.yaml', 'openapi: 3.1.0\npaths:\n    a: 1\n  b: 2\n')
  write('token.yaml', 'openapi: @3\n')
  write('quote.yaml', 'openapi: "3.1.0\npaths: {}\n')
  write('alias.yaml', 'openapi: 3.1.0\npaths: *none\n')
  write('broken.json', '{"openapi": "3.1.0",}')
  write('outside.yaml', 'openapi: 3.1.0\npaths: { /a: { $ref: ../other.yaml } }\n')
  write('lost.yaml', 'openapi: 3.1.0\npaths: { /a: { $ref: lost-path.yaml } }\n')
  write(
    'laughs.yaml',
    `openapi: 3.1.0\npaths: {}\nx-a: &a [1]\n${'bcdefghijklmnopqrstuvwxyz'
      .split('')
      .map((name, n) => `x-${name}: &${name} [${`*${'abcdefghijklmnopqrstuvwxyz'[n]},`.repeat(9)}]`)
      .join('\n')}\n`,
  )
  write('big.yaml', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n')
  write('acting.json', userFile('string', 'x\n::error file=a::pwned\u001b[31m|<b>`'))
  symlinkSync('old.json', join(folder, 'link.json'))
  git('add', '-A')
  git('commit', '-q', '-m', 'one')
  write('api/schemas/user.yaml', user('integer'))
})
afterAll(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true, force: true })
})

describe('inputs', () => {
  const changed = /name may be integer, which isn't string/
  it.each<[what: string, args: readonly string[], code: number, text: RegExp]>([
    ['two files', ['old.json', 'new.json'], 1, changed],
    ['a file and itself', ['old.json', 'old.json'], 0, /^No breaking changes\.\n$/],
    ['standard input', ['old.json', '-'], 1, /may be boolean/],
    ['a commit', ['HEAD:old.json', 'new.json'], 1, changed],
    ['a large file of a commit', ['HEAD:large.json', 'new.json'], 1, changed],
    ['files that others refer to', ['HEAD:api/paths.yaml', 'api/paths.yaml'], 1, changed],
  ])('can be %s', (_what, args, code, text) => {
    expect(diff(...args)).toMatchObject({ code, err: '', out: expect.stringMatching(text) })
  })

  it.each<[what: string, args: readonly string[], message: string]>([
    ['one document', ['old.json'], 'Pass two documents'],
    ['standard input twice', ['-', '-'], 'Only one of the documents can be standard input'],
    ["a file that isn't there", ['old.json', 'none.json'], "There's no file none.json"],
    ['a remote document', ['https://a.test/b', 'new.json'], 'Download the document first'],
    ['a drive', [String.raw`c:\a.json`, 'new.json'], "There's no file c:"],
    ['no ref', [':old.json', 'new.json'], "There's no file :old.json"],
    [
      'a ref like an option',
      ['--', '--output=a:old.json', 'new.json'],
      'because it starts with a dash',
    ],
    ['an unknown ref', ['main2:old.json', 'new.json'], 'no commit main2'],
    ['a path that the commit lacks', ['HEAD:none.json', 'new.json'], 'HEAD has no file none.json'],
    ['a link of a commit', ['HEAD:link.json', 'new.json'], 'is a link or a folder'],
    ['a file in Git LFS', ['HEAD:big.yaml', 'new.json'], 'is in Git LFS'],
    [
      'a key twice',
      ['broken.yaml', 'new.json'],
      "broken.yaml, line 2, column 16 can't be read: the key occurs twice\n",
    ],
    [
      'two documents in a file',
      ['two.yaml', 'new.json'],
      "two.yaml, line 3, column 1 can't be read: a second document starts here\n",
    ],
    [
      'tabs',
      ['tabs.yaml', 'new.json'],
      "tabs.yaml, line 2, column 1 can't be read: a tab is used as indentation\n",
    ],
    [
      'an indentation that fits nothing',
      ['indent.yaml', 'new.json'],
      "indent.yaml, line 4, column 1 can't be read: its indentation is wrong\n",
    ],
    [
      'a character that starts no value',
      ['token.yaml', 'new.json'],
      "token.yaml, line 1, column 10 can't be read: it isn't valid YAML\n",
    ],
    [
      "a quote that isn't closed",
      ['quote.yaml', 'new.json'],
      "can't be read: a character is missing, such as a comma or a quote\n",
    ],
    [
      'an alias of nothing',
      ['alias.yaml', 'new.json'],
      "alias.yaml can't be read: it isn't valid YAML",
    ],
    ['a name that is too long', ['x'.repeat(5000), 'new.json'], "There's no file xxx"],
    ['broken JSON', ['broken.json', 'new.json'], "broken.json can't be read: "],
    [
      'a reference out of the folder',
      ['outside.yaml', 'new.json'],
      'it leads out of the repository',
    ],
    ['a reference to nothing', ['lost.yaml', 'new.json'], 'lost.yaml refers to lost-path.yaml'],
    ['aliases of aliases', ['laughs.yaml', 'new.json'], 'more than a million nodes'],
    ['an unknown code', ['old.json', 'new.json', '--ignore', 'gone'], "--ignore can't be gone"],
    ['an unknown format', ['old.json', 'new.json', '--format', 'xml'], "--format can't be xml"],
    ['an unknown option', ['old.json', 'new.json', '--x'], "Unknown option '--x'"],
  ])("can't be %s", (_what, args, message) => {
    expect(diff(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
  })

  // git fetch takes a branch, but not the commit before one.
  it.each([
    ['HEAD~1', 'Run git fetch --unshallow first.'],
    ['origin/other', 'Run git fetch --depth 1 origin other, and pass FETCH_HEAD:old.json.'],
    ['FETCH_HEAD', 'Run git fetch --depth 1 origin <branch>, and pass FETCH_HEAD:old.json.'],
  ])('say how a shallow clone gets %s', (ref, hint) => {
    git('commit', '-q', '--allow-empty', '-m', 'two')
    git('clone', '-q', '--depth', '1', `file://${folder}`, `clone-${ref}`)
    process.chdir(join(folder, `clone-${ref}`))
    const { err } = diff(`${ref}:old.json`, 'new.json')
    process.chdir(folder)
    expect(err).toContain(`There's no commit ${ref} in this shallow clone. ${hint}`)
  })
})

describe('encodings', () => {
  const byteSwapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
  const encodings: readonly (readonly [string, (text: string) => Uint8Array])[] = [
    ['UTF-8', (text) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16LE', (text) => Buffer.from(text, 'utf16le')],
    ['UTF-16LE with a byte order mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16BE', byteSwapped],
    ['UTF-16BE with a byte order mark', (text) => byteSwapped(`\ufeff${text}`)],
  ]
  const text = userFile('integer', 'größe')
  it.each(
    encodings.flatMap(([name, encode]) =>
      ['json', 'yaml'].map((type) => [name, type, encode] as const),
    ),
  )('reads %s in %s, from a file, a commit and standard input', (name, type, encode) => {
    const file = `encoded-${name}.${type}`
    write(file, encode(text))
    write('plain.json', userFile('string', 'größe'))
    git('add', file)
    git('commit', '-q', '--allow-empty', '-m', file)
    for (const input of [file, `HEAD:${file}`, '-'])
      expect(diffWith(['plain.json', input], () => encode(text))).toMatchObject({
        code: 1,
        err: '',
        out: expect.stringContaining("/größe may be integer, which isn't string"),
      })
  })
})

describe('options', () => {
  it('--version prints the version', () => {
    expect(diff('--version')).toMatchObject({ code: 0, out: `${packageFile.version}\n` })
  })

  it('--ignore leaves out a code', () => {
    expect(diff('old.json', 'new.json', '--ignore', 'response-widened')).toMatchObject({ code: 0 })
  })

  it('--fail-on warning fails for a warning', () => {
    write('enum1.json', userFile('string').replace('"type":"string"', '"enum":["a","b"]'))
    write('enum2.json', userFile('string').replace('"type":"string"', '"enum":["a","b","c"]'))
    expect(diff('enum1.json', 'enum2.json')).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        'warning  response-widened  status 200: /name may be "c", which is new',
      ),
    })
    expect(diff('enum1.json', 'enum2.json', '--fail-on', 'warning').code).toBe(1)
    expect(diff('enum1.json', 'enum2.json', '--fail-on', 'warning', '--open-enums').code).toBe(0)
  })
})

describe('--accepted', () => {
  it('finds a line that ends with a space', () => {
    const withPattern = (pattern: string): string => {
      const parameters = [{ in: 'query', name: 'q', schema: { type: 'string', pattern } }]
      return JSON.stringify({
        openapi: '3.1.0',
        paths: { '/': { get: { parameters, responses: {} } } },
      })
    }
    write('pattern.json', withPattern('^a'))
    write('space.json', withPattern('^a '))
    write('space.txt', diff('pattern.json', 'space.json', '--format', 'accepted').out)
    const { code, out, err } = diff('pattern.json', 'space.json', '--accepted', 'space.txt')
    expect([code, out, err]).toEqual([0, 'No breaking changes.\n', ''])
  })

  const parameters = ['limit', 'offset'].map((name) => ({ name, in: 'query', schema: {} }))
  const operationOf = (listed: readonly object[]) => ({
    parameters: listed,
    requestBody: {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
    },
    responses: { 204: { description: '' } },
  })
  const documentOf = (methods: readonly string[], listed: readonly object[], role: unknown) =>
    JSON.stringify({
      openapi: '3.1.0',
      paths: {
        '/a': Object.fromEntries(methods.map((method) => [method, operationOf(listed)])),
      },
      components: { schemas: { User: { type: 'object', properties: { role } } } },
    })
  const released = documentOf(['put', 'post'], parameters, { enum: ['a', 'b', 'c'] })
  const lines = [
    'lost-parameter POST /a: query parameter limit is gone',
    'lost-parameter POST /a: query parameter offset is gone',
    'lost-parameter PUT /a: query parameter limit is gone',
    'lost-parameter PUT /a: query parameter offset is gone',
    'request-narrowed User/role may no longer be "c"',
  ]
  beforeAll(() => {
    write('released.json', released)
    write(
      'reordered.json',
      documentOf(['post', 'put'], parameters.toReversed(), { enum: ['c', 'b', 'a'] }),
    )
    write('current.json', documentOf(['put', 'post'], [], { enum: ['a', 'b'] }))
    write('accepted.txt', `${lines.join('\n')}\n`)
  })

  it('--format accepted prints what the file takes', () => {
    const { out, code } = diff('released.json', 'current.json', '--format', 'accepted')
    expect(out).toBe(`${lines.join('\n')}\n`)
    expect(code).toBe(1)
    expect(diff('released.json', 'released.json', '--format', 'accepted').out).toBe('')
  })

  it('leaves out what it lists, also of reordered documents', () => {
    for (const before of ['released.json', 'reordered.json'])
      expect(diff(before, 'current.json', '--accepted', 'accepted.txt')).toEqual({
        code: 0,
        out: 'No breaking changes.\n',
        err: '',
        summary: '',
      })
  })

  it.each(lines)('leaves out no other finding than %s', (line) => {
    write('one.txt', `# agreed with the clients\r\n\r\n  ${line}\r\n`)
    const args = ['released.json', 'current.json', '--accepted', 'one.txt'] as const
    const { out, code } = diff(...args, '--format', 'accepted')
    expect(out.split('\n').filter(Boolean)).toEqual(lines.filter((other) => other !== line))
    expect(code).toBe(1)
  })

  it("doesn't accept another value at the same place", () => {
    write('fewer.json', documentOf(['put', 'post'], parameters, { enum: ['a'] }))
    const { out, err, code } = diff('released.json', 'fewer.json', '--accepted', 'accepted.txt')
    expect(out).toContain('request-narrowed  User/role may no longer be "b", "c"')
    expect(err.split('\n').filter(Boolean)).toEqual(
      lines.map(
        (line) => `warning: no finding matches this line of accepted.txt any more: ${line}`,
      ),
    )
    expect(code).toBe(1)
  })

  it('reads the file of a commit, and escapes its lines', () => {
    write('acting.txt', 'lost-parameter \u001b[31m\n')
    git('add', 'acting.txt', 'accepted.txt')
    git('commit', '-q', '-m', 'accepted')
    const files = ['released.json', 'current.json'] as const
    expect(diff(...files, '--accepted', 'HEAD:accepted.txt')).toMatchObject({ code: 0, err: '' })
    expect(diff(...files, '--accepted', 'acting.txt').err).toContain(String.raw`\u001b[31m`)
    expect(diff(...files, '--accepted', 'none.txt')).toMatchObject({
      code: 2,
      err: "error: There's no file none.txt.\n",
    })
  })

  it('tells clients what changes all the same', () => {
    const args = ['released.json', 'current.json', '--accepted', 'accepted.txt'] as const
    expect(diff(...args, '--format', 'guide').out).toContain('may no longer be "c"')
  })

  // Names and values come from documents, so they can contain anything.
  it('takes every line that it prints', () => {
    const names = ['a b', ' ', '#', 'x\n::y', '', '\ufeff', 'é\u2028', 'tab\t', 'end ']
    const objectOf = (patterns: boolean) => ({
      type: 'object',
      properties: Object.fromEntries(
        names.map((name) => [name, { type: 'string', ...(patterns && { pattern: `^a${name}` }) }]),
      ),
    })
    const bodyOf = (body: object) =>
      JSON.stringify({
        openapi: '3.1.0',
        paths: {
          '/a': {
            post: {
              requestBody: { content: { 'application/json': { schema: body } } },
              responses: {},
            },
          },
        },
      })
    write('names1.json', bodyOf(objectOf(false)))
    write('names2.json', bodyOf(objectOf(true)))
    const { out } = diff('names1.json', 'names2.json', '--format', 'accepted')
    expect(out.split('\n')).toHaveLength(names.length + 1)
    write('names.txt', out)
    expect(diff('names1.json', 'names2.json', '--accepted', 'names.txt')).toMatchObject({
      code: 0,
      err: '',
    })
  })
})

describe('output', () => {
  it('--format json is as its schema says', () => {
    const printed: unknown = JSON.parse(diff('old.json', 'new.json', '--format', 'json').out)
    const validate = new Ajv2020().compile(schema)
    expect(validate(printed), JSON.stringify(validate.errors)).toBe(true)
    expect(printed).toMatchObject({
      version: 1,
      findings: [{ code: 'response-widened', severity: 'error', operation: 'GET /users' }],
    })
  })

  it('--format github annotates the line of the file that changed', () => {
    const { out, summary } = diff('HEAD:api/paths.yaml', 'api/paths.yaml', '--format', 'github')
    expect(out)
      .toBe(`::error file=api/schemas/user.yaml,line=3,title=response-widened::user/name may be integer, which isn't string (GET /users)
::notice::1 error, 0 warnings, 0 unclear.
`)
    expect(summary).toContain('| error | response-widened | user/name may be integer')
  })

  it('--format github annotates the operation if its component has a different name now', () => {
    const documentOf = (name: string, type: string): string =>
      [
        'openapi: 3.1.0',
        'paths:',
        '  /users:',
        '    get:',
        '      responses:',
        "        '200':",
        '          content:',
        '            application/json:',
        `              schema: { $ref: '#/components/schemas/${name}' }`,
        'components:',
        '  schemas:',
        `    ${name}: { type: object, properties: { id: { type: ${type} } } }`,
      ].join('\n')
    write('user.yaml', documentOf('User', 'string'))
    write('person.yaml', documentOf('Person', 'integer'))
    const { out } = diff('user.yaml', 'person.yaml', '--format', 'github')
    expect(out).toMatch(/^::error file=person\.yaml,line=9,title=response-widened::User\/id may be/)
  })

  it('--format guide tells clients what to change', () => {
    expect(diff('old.json', 'new.json', '--format', 'guide').out).toBe(`### Responses that differ

- status 200: \`name\` may be integer, which isn't string (in \`GET /users\`)
`)
  })

  it('--format guide lists what rarely matters in a section of its own', () => {
    const withFields = (...names: string[]): string => {
      const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
      const content = { 'application/json': { schema: { type: 'object', properties } } }
      const post = { requestBody: { content }, responses: {} }
      return JSON.stringify({ openapi: '3.1.0', paths: { '/a': { post } } })
    }
    write('more.json', withFields('a', 'b'))
    write('fewer.json', withFields('a'))
    const { out } = diff('more.json', 'fewer.json', '--format', 'guide')
    expect(out).toMatch(/^### Less likely to matter\n\n- body: `b` is ignored from now on/)
  })

  it('--format guide calls a field that was optional required', () => {
    const documentOf = (required: readonly string[]): string => {
      const properties = { name: { type: 'string' }, role: { type: 'string' } }
      const newUser = { type: 'object', required, properties }
      const requestBody = { content: { 'application/json': { schema: newUser } } }
      return JSON.stringify({
        openapi: '3.1.0',
        paths: { '/users': { post: { requestBody, responses: {} } } },
      })
    }
    write('optional.json', documentOf([]))
    write('required.json', documentOf(['name']))
    expect(diff('optional.json', 'required.json', '--format', 'guide').out)
      .toBe(`### Requests to change

- body: \`name\` is required now (in \`POST /users\`)
`)
    write('both.json', documentOf(['name', 'role']))
    expect(diff('optional.json', 'both.json', '--format', 'guide').out).toContain(
      '- body: `name`, body: `role` are required now (in `POST /users`)',
    )
  })

  it('--format guide names the operations, and only joins changes of the same ones', () => {
    const documentOf = (fields: Record<string, readonly string[]>): string => {
      const operationOf = (names: readonly string[]) => {
        const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
        const content = {
          'application/json': { schema: { type: 'object', required: names, properties } },
        }
        return { get: { responses: { 200: { description: '', content } } } }
      }
      const entries = Object.entries(fields).map(([path, names]) => [path, operationOf(names)])
      return JSON.stringify({ openapi: '3.1.0', paths: Object.fromEntries(entries) })
    }
    write(
      'wide.json',
      documentOf({
        '/a': ['x', 'y', 'z', 'w'],
        '/b': ['x', 'y', 'w'],
        '/c': ['x', 'w'],
        '/d': ['x'],
        '/e': ['x'],
      }),
    )
    write('narrow.json', documentOf({ '/a': [], '/b': [], '/c': [], '/d': [], '/e': [] }))
    expect(diff('wide.json', 'narrow.json', '--format', 'guide').out)
      .toBe(`### Responses that differ

- status 200: \`x\` is gone (in \`GET /a\`, \`GET /b\`, \`GET /c\` and 2 more)
- status 200: \`y\` is gone (in \`GET /a\`, \`GET /b\`)
- status 200: \`z\` is gone (in \`GET /a\`)
- status 200: \`w\` is gone (in \`GET /a\`, \`GET /b\`, \`GET /c\`)
`)
  })

  it('--format guide lists what is new, and folds more than ten fields', () => {
    const documentOf = (count: number, more: object): string => {
      const names = Array.from({ length: count }, (_, n) => `p${n}`)
      const properties = Object.fromEntries(names.map((name) => [name, {}]))
      const content = { 'application/json': { schema: { type: 'object', properties } } }
      const get = { responses: { 200: { description: '', content } } }
      return JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get }, ...more } })
    }
    write('no-fields.json', documentOf(0, {}))
    write('ten.json', documentOf(10, {}))
    write('eleven.json', documentOf(11, { '/b': { post: { responses: {} } } }))
    const guide = (file: string) =>
      diff('no-fields.json', file, '--format', 'guide').out.split('\n')
    const fields = Array.from({ length: 11 }, (_, n) => `status 200: \`p${n}\` (in \`GET /a\`)`)
    const listed = fields.slice(0, 10).map((line) => `- ${line}`)
    expect(guide('ten.json')).toEqual(['### New', '', ...listed, ''])
    expect(guide('eleven.json').join('\n')).toBe(
      `### New\n\n- \`POST /b\`\n\n<details><summary>New fields</summary>\n\n${fields.join('; ')}\n\n</details>\n`,
    )
  })

  it('--format github annotates ten causes of each level', () => {
    const documentOf = (count: number): string => {
      const items = Array.from({ length: count }, (_, n) => [`/${n}`, { get: { responses: {} } }])
      return JSON.stringify({ openapi: '3.1.0', paths: Object.fromEntries(items) })
    }
    write('operations.json', documentOf(11))
    write('no-operations.json', documentOf(0))
    const print = (format: string) =>
      diff('operations.json', 'no-operations.json', '--format', format).out
    const commands = print('github').match(/^::\w+/gm)
    expect(commands).toEqual([...Array<string>(10).fill('::error'), '::notice'])
    expect(print('guide')).toMatch(/^### Removed\n\n- `GET \/0`\n/)
  })

  it('says that an error which nobody expects is a bug', () => {
    let text = ''
    const code = run(['--help'], {
      stdin: () => new Uint8Array(),
      out: () => {
        throw new Error('the pipe is closed')
      },
      error: (line) => (text += line),
      addSummary: () => {},
    })
    expect([code, text]).toEqual([
      2,
      'error: the pipe is closed\nThis is a bug in openapi-diff. Please report it.\n',
    ])
  })

  it.each(['text', 'markdown', 'github', 'guide'])('escapes names in %s', (format) => {
    const { out, summary } = diff('acting.json', 'old.json', '--format', format)
    const text = out + summary
    expect(text).toContain(String.raw`u000a::error`)
    expect(text).not.toContain('\u001b')
    expect(text).not.toMatch(/\n::error file=a|<b>(?!`)/)
  })

  it('prints values as they are, whatever its format makes of their characters', () => {
    const odd = '100%25*_[x](y)|~!>#&<@'
    const withValues = (...values: string[]) => {
      const parameters = [{ in: 'query', name: 'q', schema: { enum: values } }]
      const get = { parameters, responses: {} }
      return JSON.stringify({ openapi: '3.1.0', paths: { '/': { get } } })
    }
    write('odd.json', withValues('a', odd))
    write('even.json', withValues('a'))
    const printed = (format: string) => diff('odd.json', 'even.json', '--format', format).out
    expect(printed('github')).toContain('"100%2525*_[x](y)|~!>#&<@"')
    expect(printed('markdown')).toContain(String.raw`"100%25\*\_\[x\](y)\|\~\!\>\#&#38;&#60;&#64;"`)
  })
})
