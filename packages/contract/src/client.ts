import { type IncomingMessage, request as requestOverHttp } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { type AppName, createApps } from './apps.ts'
import type { AdapterUnderTest, RunningApp } from './types.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body, or `{}` if it isn't a JSON object. */
  readonly body: Record<string, unknown>
}

export interface Client {
  /** The adapter's app, once the tests run. */
  readonly served: () => RunningApp
  request(
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: string,
  ): Promise<HttpResponse>
  /** Sends a request with an Accept header, or without one if that's `''`. */
  ask(path: string, accept?: string, method?: string): Promise<HttpResponse>
}

/**
 * Sends a request target as it is, and returns the response without its body. `fetch` would resolve
 * dots.
 */
export const sendTarget = (
  origin: string,
  method: string,
  target: string,
  headers: Record<string, string>,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(origin)
    const sent = requestOverHttp({ host, port, method, path: target, headers }, (response) => {
      response.resume().on('end', () => resolve(response))
    })
    sent.on('error', reject)
    sent.end(method.startsWith('P') ? '{}' : '')
  })

/** Serves an app by name. */
export const serveApp = (adapter: AdapterUnderTest, name: AppName): Promise<RunningApp> =>
  adapter.serve(createApps(adapter.native).get(name)!())

/** Serves an app for the tests of the current `describe`. Paths are relative to the prefix. */
export function useApp(adapter: AdapterUnderTest, app: AppName, prefix = ''): Client {
  let served: RunningApp
  beforeAll(async () => {
    served = await serveApp(adapter, app)
  })
  afterAll(() => served?.close()) // if it serves: an error at start-up is the one to see

  const request: Client['request'] = async (method, path, headers = {}, body) => {
    const response = await fetch(served.origin + prefix + path, {
      method,
      headers: { accept: '', ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(300_000),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? (JSON.parse(text) as HttpResponse['body']) : {},
    }
  }
  return {
    served: () => served,
    request,
    ask: (path, accept = '', method = 'GET') => request(method, path, { accept }),
  }
}
