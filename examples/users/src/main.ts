import { isIPv6 } from 'node:net'
import { isUnencrypted, readConfig, serviceVersion } from './config.ts'
import { readEnvironment } from './environment.ts'
import { exitWithError } from './ops/exit-with-error.ts'
import { shutDown } from './ops/shutdown.ts'

process.on('uncaughtException', exitWithError)
start().catch(exitWithError)

async function start(): Promise<void> {
  const environment = readEnvironment()
  const config = readConfig(environment)
  // The route file also runs in browsers, so it can't read `.env`.
  for (const key of ['V1_DEPRECATED', 'V1_SUNSET'])
    if (environment[key] !== undefined) process.env[key] = environment[key]
  // Imported here, so that `exitWithError` also prints mistakes in the route file.
  const { buildApp } = await import('./app.ts')
  const { createTokens, localSecret, readKeys, secretKey } = await import('./auth/tokens.ts')
  const { cleanCounters } = await import('./ops/clean-counters.ts')
  const { openLog } = await import('./ops/readable-log.ts')
  const { openStore } = await import('./store/open-store.ts')
  const { prepareStore } = await import('./store/prepare-store.ts')

  const store = openStore(config, { exclusive: true })
  const generated = config.accessToken === null && config.keyFolder === null ? localSecret() : null
  const keys =
    config.keyFolder === null
      ? [secretKey(config.accessToken ?? generated!.secret)]
      : readKeys(config.keyFolder)
  const tokens = createTokens(keys, config.tokenLifetime)
  const lifecycle = { prepared: false, draining: false }
  const log = await openLog(config.production)
  /** Prints a line whatever the log level is. In production, all output is JSON. */
  const print = (msg: string) =>
    config.production
      ? void log.write(`${JSON.stringify({ level: 30, time: Date.now(), msg })}\n`)
      : console.log(msg)
  const app = buildApp(config, { store, tokens }, lifecycle, log)
  await app.ready()
  await prepareStore(config, store, app.log, () => {
    lifecycle.prepared = true
    void cleanCounters(store, lifecycle)
  })
  await app.listen({ port: config.port, host: config.host })

  // Comes before the line that says it serves, because whoever waits for that line may send a
  // signal right away.
  const stop = (drainTime: number): void => {
    if (lifecycle.draining) return
    shutDown(app, store, lifecycle, drainTime).then(() => process.exit(0), exitWithError)
  }
  process.on('SIGTERM', () => stop(config.drainTime * 1000))
  process.on('SIGINT', () => stop(0)) // Ctrl-C: no load balancer to wait for
  if (process.env['npm_lifecycle_event'] !== undefined)
    whenParentExits(() => stop(config.drainTime * 1000))

  const { port } = app.server.address() as { port: number }
  const host = isIPv6(config.host) ? `[${config.host}]` : config.host
  print(`users service ${serviceVersion} on http://${host}:${port}, with ${store.description}`)
  if (generated !== null) print(`tokens are signed with the generated secret in ${generated.file}`)
  if (isUnencrypted(config))
    print(
      "the connection to the database isn't encrypted, so others on the network can read and change it: set DATABASE_TLS=verified",
    )
  if (config.exposeDatabaseErrors)
    print('responses may contain database error messages: EXPOSE_DB_ERRORS is on')
}

/**
 * npm runs the service in a shell. On a signal, it ends the shell, which passes no signal on, so
 * all we see is its exit.
 */
function whenParentExits(act: () => void): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && act(), 500).unref()
}
