// Starts a tracing tool, which has to run before the modules that it hooks into are loaded.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Starts a tool that reports the name of each request's span. Returns what makes it send its spans. */
type Start = (report: (name: string) => void) => () => unknown

const [tool, folder] = process.argv.slice(2) as [string, string]
const require = createRequire(join(folder, 'index.js'))
const names: string[] = []

/** Without an agent, Datadog prints its spans, a JSON text per line. */
interface DatadogLine {
  readonly traces: readonly (readonly {
    readonly resource: string
    readonly meta: Readonly<Record<string, string>>
  }[])[]
}
const startDatadog: Start = (report) => {
  process.stdout.write = (text: unknown) => {
    const { traces } = JSON.parse(String(text)) as DatadogLine
    for (const { meta, resource } of traces.flat())
      if (meta['span.kind'] === 'server') report(resource)
    return true
  }
  require('dd-trace').init({
    experimental: { exporter: 'log' },
    startupLogs: false,
    instrumentation_telemetry: { enabled: false },
    remoteConfig: { enabled: false },
  })
  return () => undefined
}

/** What Sentry sends: a transaction (10), or a list of spans (11). */
interface SentryPayload {
  readonly transaction?: string
  readonly items?: readonly { readonly name: string; readonly is_segment?: boolean }[]
}
const startSentry: Start = (report) => {
  const Sentry = require('@sentry/node')
  const send = ([, items]: [object, [object, SentryPayload][]]) => {
    for (const [, payload] of items) {
      const sent = payload.items?.filter((span) => span.is_segment).map(({ name }) => name)
      for (const name of sent ?? [payload.transaction]) if (name !== undefined) report(name)
    }
    return Promise.resolve({})
  }
  Sentry.init({
    dsn: 'http://key@127.0.0.1:1/1',
    tracesSampleRate: 1,
    transport: () => ({ send, flush: () => Promise.resolve(true) }),
  })
  return () => Sentry.flush(100)
}

const startOpenTelemetry =
  (options: object): Start =>
  (report) => {
    const { NodeTracerProvider } = require('@opentelemetry/sdk-trace-node')
    const { registerInstrumentations } = require('@opentelemetry/instrumentation')
    const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
    const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express')
    const { SpanKind } = require('@opentelemetry/api')
    const onEnd = (span: { kind: unknown; name: string }) =>
      span.kind === SpanKind.SERVER && report(span.name)
    const processor = { onEnd, onStart() {}, forceFlush() {}, shutdown() {} }
    new NodeTracerProvider({ spanProcessors: [processor] }).register()
    registerInstrumentations({
      instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation(options)],
    })
    return () => undefined
  }

const tools: Readonly<Record<string, Start>> = {
  datadog: startDatadog,
  sentry: startSentry,
  opentelemetry: startOpenTelemetry({}),
  'opentelemetry without middleware': startOpenTelemetry({ ignoreLayersType: ['middleware'] }),
}
const flush = tools[tool]!((name) => names.push(name))

/** Returns what the tool has named the last request. */
export async function takeName(): Promise<string> {
  while (names.length === 0) {
    await flush()
    await wait(5)
  }
  return names.splice(0).join(', ')
}
