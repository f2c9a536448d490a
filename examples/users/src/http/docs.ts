import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { packageRoot } from '../environment.ts'
import { createDocument } from './openapi.ts'

const files = [
  ['/docs', 'docs.html', 'text/html'],
  ['/docs/docs.js', 'docs.js', 'text/javascript'],
  ['/docs/docs.css', 'docs.css', 'text/css'],
] as const

/** Serves `/openapi/v<n>.json` for each version, and `/docs`, a page that shows them. It loads nothing from other hosts. */
export function serveDocs(app: FastifyInstance, controllers: Parameters<typeof createDocument>[1]): void {
  const versions = Object.keys(controllers).map(Number)
  for (const version of versions) {
    const document = JSON.stringify(createDocument(version, controllers))
    app.get(`/openapi/v${version}.json`, (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(document),
    )
  }
  for (const [path, file, type] of files) {
    const text = readFileSync(join(packageRoot, 'public', file), 'utf8').replace('{{versions}}', versions.join(','))
    app.get(path, (_request, reply) => reply.type(`${type}; charset=utf-8`).send(text))
  }
}
