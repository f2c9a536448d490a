// `npm run bench:compare`: the time and memory of comparing a document of 5,000 operations and 3,000 components, 40 % of them
// in cycles, with itself and one more path, and with 30 changed components. Each comparison has a process of its own.
import { execFileSync } from 'node:child_process'
import { compareDocuments, groupFindings } from '@hv/openapi-diff'

const [operations, components, inCycles, changed] = [5000, 3000, 1200, 30]

const ref = (n: number) => ({ $ref: `#/components/schemas/C${n}` })
const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })

/** The first components are rings of 12 that refer to each other; the others refer to three before them. */
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

const cases = {
  'one more path': () => documentOf(0, { '/new': { get: { responses: {} } } }),
  '30 changed components': () => documentOf(changed),
}

const [, script, chosen] = process.argv
if (chosen === undefined) {
  const megabytes = JSON.stringify(documentOf(0)).length / 1e6
  console.log(`A document of ${megabytes.toFixed(1)} MB, compared with itself and`)
  for (const name of Object.keys(cases))
    execFileSync(process.execPath, [script!, name], { stdio: 'inherit' })
} else {
  const [released, current] = [documentOf(0), cases[chosen as keyof typeof cases]()]
  const [wall, cpu] = [performance.now(), process.cpuUsage()]
  const findings = compareDocuments(released, current)
  const seconds = (performance.now() - wall) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const causes = groupFindings(findings).length
  const figures = [
    `${seconds.toFixed(2)} s`,
    `${((user + system) / 1e6).toFixed(2)} s of CPU time`,
    `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
    `${findings.length} findings of ${causes} causes`,
  ]
  console.log(`${chosen.padEnd(22)} ${figures.join(', ')}`)
}
