// What commands print: nothing from a file or a request can act on the terminal.
import { describe, expect, it } from 'vitest'
import fc from '../../../tools/fast-check.ts'
import { run } from '../src/run.ts'
import { type Line, print, printJson, writeLine } from '../src/output.ts'
import { createProject, routesFile } from './project.ts'

/** Control characters, but for the newline at the end of each line. */
// oxlint-disable-next-line no-control-regex
const control = /[\0-\x09\x0b-\x1f\x7f-\x9f]/
// oxlint-disable-next-line no-control-regex
const colors = /\u001B\[(?:1|2|22|31|32|33|39)m/g

function outputOf(isTTY: boolean) {
  const texts: string[] = []
  const output = { isTTY, write: (text: string) => texts.push(text) }
  return { output, read: () => texts.join('') }
}

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001B', '\u009B', '[31m', ']0;title\u0007', '\n', '\r', '\0', '\u007F'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
})

describe('a line of output', () => {
  it.each([true, false])('has only our own control characters, on a terminal: %s', (isTTY) => {
    fc.assert(
      fc.property(hostile, (text) => {
        const lines: readonly Line[] = [text, { style: 'red', text, rest: text }]
        for (const line of lines) {
          const { output, read } = outputOf(isTTY)
          writeLine(output, line)
          const written = isTTY && line !== text ? read().replace(colors, '') : read()
          expect(written.slice(0, -1)).not.toMatch(control)
          expect(written.indexOf('\n')).toBe(written.length - 1)
        }
      }),
    )
  })

  it('of JSON still means the same', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { output, read } = outputOf(true)
        printJson({ cwd: '', out: output, err: output }, { text })
        expect(read()).not.toMatch(control)
        expect(JSON.parse(read())).toEqual({ text })
      }),
    )
  })

  it('has no color in a pipe', () => {
    const { output, read } = outputOf(false)
    print({ cwd: '', out: output, err: output }, { style: 'green', text: 'write', rest: '  a' })
    expect(read()).toBe('write  a\n')
  })
})

const hostileName = 'x\u001B[31m\u001B]0;title\u0007\nerror: forged'
const visibleName = 'x\\u001b[31m\\u001b]0;title\\u0007\\u000aerror: forged'

it.each<[what: string, args: string[], file: string, json: object]>([
  [
    'a route in a lock file',
    ['check', '--lock'],
    'routes.lock.json',
    {
      lockVersion: 1,
      settings: { vendor: 'acme', defaultVersion: 1, formats: ['json'], strict: false },
      versions: { 1: { routes: { [`GET /${hostileName}`]: { to: 'users#index' } } } },
    },
  ],
  [
    'a change in documents',
    ['diff', '1', '2', '--documents', 'documents.json'],
    'documents.json',
    Object.fromEntries(
      [1, 2].map((version) => [
        version,
        {
          openapi: '3.1.0',
          paths: version === 2 ? {} : { [`/${hostileName}`]: { get: { responses: {} } } },
        },
      ]),
    ),
  ],
])('%s is shown, and does nothing to a terminal', async (_what, args, file, json) => {
  const { folder } = createProject({ 'routes.ts': routesFile, [file]: JSON.stringify(json) })
  const [out, err] = [outputOf(true), outputOf(true)]
  await run(args, { cwd: folder, out: out.output, err: err.output })
  const written = out.read().replace(colors, '')
  expect(written).toContain(visibleName)
  expect(written).not.toMatch(control)
})

it.each([
  ['a mistake in the call', ['diff', '1', '1']],
  ['an unknown option', ['routes', '--nope']],
])('marks %s in red on a terminal', async (_what, args) => {
  const { folder } = createProject({ 'routes.ts': routesFile })
  const [out, err] = [outputOf(true), outputOf(true)]
  expect(await run(args, { cwd: folder, out: out.output, err: err.output })).toBe(2)
  expect(err.read().startsWith('\u001B[31merror:\u001B[39m ')).toBe(true)
})
