import { readConfig, readEnvironment, serviceVersion } from './config.ts'
import { exitWithError } from './ops/exit-with-error.ts'
import { shutDown } from './ops/shutdown.ts'

process.on('uncaughtException', exitWithError)
start().catch(exitWithError)

async function start(): Promise<void> {
  const config = readConfig(readEnvironment())
  // Imported late: a mistake in the route file is then told by `exitWithError`, like any other.
  const { buildApp } = await import('./app.ts')
  const { createTokens, localSecret, readKeys, secretKey } = await import('./auth/tokens.ts')
  const { openStore } = await import('./store/open-store.ts')
  const { prepareStore } = await import('./store/prepare-store.ts')

  const store = openStore(config)
  const generated = config.accessToken === null && config.keyFolder === null ? localSecret() : null
  const keys =
    config.keyFolder === null ? [secretKey(config.accessToken ?? generated!.secret)] : readKeys(config.keyFolder)
  const tokens = createTokens(keys, config.tokenLifetime)
  const lifecycle = { draining: false }
  const app = buildApp(config, { store, tokens }, lifecycle)
  await app.ready()
  await prepareStore(config, store, app.log)
  await app.listen({ port: config.port, host: config.host })

  const { port } = app.server.address() as { port: number }
  console.log(`users service ${serviceVersion} on http://${config.host}:${port}, with ${store.description}`)
  if (generated !== null) console.log(`tokens are signed with the generated secret in ${generated.file}`)
  if (config.exposeDatabaseErrors) console.log('answers may hold error texts of the database: EXPOSE_DB_ERRORS is on')

  const end = once(() => void shutDown(app, store, lifecycle).then(() => process.exit(0), exitWithError))
  process.on('SIGINT', end).on('SIGTERM', end)
  if (process.env['npm_lifecycle_event'] !== undefined) whenParentIsGone(end)
}

/**
 * npm runs us in a shell. Told to stop, npm ends the shell, and the signal goes no further: that the parent is gone
 * is all that can be seen of it.
 */
function whenParentIsGone(act: () => void): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && act(), 500).unref()
}

function once(act: () => void): () => void {
  let done = false
  return () => {
    if (!done) act()
    done = true
  }
}
