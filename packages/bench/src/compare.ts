// `npm run bench -- compare`: the time and memory of comparing two large documents, in five shapes.
// The first two have 5,000 operations and 3,000 components, 40 % of them in cycles. Each comparison
// runs in its own process.
import { execFileSync } from 'node:child_process'
import { compareDocuments, groupFindings } from '@hv/openapi-diff'

const [operations, components, inCycles, changed] = [5000, 3000, 1200, 30]

const ref = (n: number) => ({ $ref: `#/components/schemas/C${n}` })
const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })

/**
 * The first components are rings of 12 that refer to each other; the others refer to three before
 * them.
 */
function componentOf(n: number, isChanged: boolean) {
  const first = n - (n % 12)
  const refs =
    n < inCycles
      ? [first + ((n + 1) % 12), first + ((n * 5) % 12), (n * 7) % inCycles]
      : [n - 1, Math.floor(n / 2), (n * 31) % n]
  const [next, other, third] = refs.map(ref)
  return {
    type: 'object',
    required: ['kind', 'id', 'name'],
    properties: {
      kind: { const: `c${n}` },
      id: { type: 'integer', minimum: 1 },
      name: { type: isChanged ? 'integer' : 'string' },
      state: { enum: ['open', 'closed', `state${n}`] },
      createdAt: { type: 'string', format: 'date-time' },
      next: { anyOf: [next, { type: 'null' }] },
      others: { type: 'array', items: other },
      subject: { oneOf: [other, third], discriminator: { propertyName: 'kind' } },
    },
  }
}

const documentOf = (changedCount: number, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1' },
  paths: {
    ...Object.fromEntries(
      Array.from({ length: operations / 2 }, (_, n) => {
        const limit = { in: 'query', name: 'limit', schema: { type: 'integer', maximum: 100 } }
        const component = ref((n * 7) % components)
        const responses = { 200: json(component), 404: json(ref(0)) }
        const item = {
          get: {
            parameters: [limit],
            responses: { ...responses, 200: json({ type: 'array', items: component }) },
          },
          post: { requestBody: json(component), responses },
        }
        return [`/r${n}`, item]
      }),
    ),
    ...more,
  },
  components: {
    schemas: Object.fromEntries(
      Array.from({ length: components }, (_, n) => [
        `C${n}`,
        componentOf(
          n,
          n % (components / changed) === 0 && n < (changedCount * components) / changed,
        ),
      ]),
    ),
  },
})

/** A document whose operations return the components that a function makes, by their number. */
const documentWith = (count: number, componentAt: (n: number) => object) => ({
  openapi: '3.1.0',
  paths: Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `/r${n}`,
      { get: { responses: { 200: json(ref(n)) } } },
    ]),
  ),
  components: {
    schemas: Object.fromEntries(Array.from({ length: count }, (_, n) => [`C${n}`, componentAt(n)])),
  },
})

/**
 * Unions of 60 objects, told apart by a tag. In the newer document, each has one more and one
 * that's different.
 */
const unions = (isNewer: boolean) =>
  documentWith(200, (n) => ({
    oneOf: Array.from({ length: isNewer ? 61 : 60 }, (_, kind) => ({
      type: 'object',
      required: ['kind'],
      properties: {
        kind: { const: `k${n}-${kind}` },
        [`x${kind}`]: { type: isNewer && kind === 7 ? 'integer' : 'string' },
      },
    })),
  }))

/** Components that each refer to the next one twice, so there are 2^250 paths to the last one. */
const sharing = (isNewer: boolean) =>
  documentWith(250, (n) =>
    n === 249
      ? { type: isNewer ? 'integer' : 'string' }
      : { type: 'object', properties: { left: ref(n + 1), right: ref(n + 1) } },
  )

const enums = (isNewer: boolean) =>
  documentWith(1000, (n) => ({
    enum: Array.from({ length: isNewer ? 501 : 500 }, (_, value) => `v${n}-${value}`),
  }))

const cases: Readonly<Record<string, () => readonly [object, object]>> = {
  'one more path': () => [documentOf(0), documentOf(0, { '/new': { get: { responses: {} } } })],
  '30 changed components': () => [documentOf(0), documentOf(changed)],
  'wide unions': () => [unions(false), unions(true)],
  'deep sharing': () => [sharing(false), sharing(true)],
  'large enums': () => [enums(false), enums(true)],
}

const [, script, chosen] = process.argv
if (chosen === undefined)
  for (const name of Object.keys(cases))
    execFileSync(process.execPath, [script!, name], { stdio: 'inherit' })
else {
  const [released, current] = cases[chosen]!()
  const megabytes = (JSON.stringify(released).length / 1e6).toFixed(1)
  const [wall, cpu] = [performance.now(), process.cpuUsage()]
  const findings = compareDocuments(released, current)
  const seconds = (performance.now() - wall) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const causes = groupFindings(findings).length
  const figures = [
    `${megabytes} MB`,
    `${seconds.toFixed(2)} s`,
    `${((user + system) / 1e6).toFixed(2)} s of CPU time`,
    `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB of memory`,
    `${findings.length} findings of ${causes} causes`,
  ]
  console.log(`${chosen.padEnd(22)} ${figures.join(', ')}`)
}
