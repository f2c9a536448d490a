// Serves the apps of the suite on Bun and on Deno, each at a port of its own, and prints the ports by name.
import { createApps } from '@hv/router-contract/apps'
import { hideSubscriberErrors } from './quiet.ts'
import { type App, createApp, native } from '../app.ts'

hideSubscriberErrors()

interface Runtimes {
  readonly Bun?: { serve(options: object): { readonly port: number } }
  readonly Deno?: {
    serve(options: object, handler: App): { readonly addr: { readonly port: number } }
  }
}
const { Bun, Deno } = globalThis as Runtimes
const address = { hostname: '127.0.0.1', port: 0 }
const serve = (fetch: App): number =>
  Bun
    ? Bun.serve({ ...address, fetch }).port
    : Deno!.serve({ ...address, onListen() {} }, fetch).addr.port

const ports = Array.from(createApps(native), ([name, create]) => [name, serve(createApp(create()))])
console.log(JSON.stringify(Object.fromEntries(ports)))
