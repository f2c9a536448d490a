// The service on the embedded store, for the recorder: it waits for other processes as long as its second argument says,
// and collects garbage when it's told to.
import { buildApp } from '../src/app.ts'
import { createTokens, secretKey } from '../src/auth/tokens.ts'
import { openSqliteStore } from '../src/store/open-store.ts'
import { appConfig } from './app-config.ts'

const [file = '', patience = '', secret = ''] = process.argv.slice(2)
const store = openSqliteStore(file, { patience: Number(patience), exclusive: true })
await store.migrate()
const app = buildApp(appConfig, { store, tokens: createTokens([secretKey(secret)], 3600) })
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', () => {
  globalThis.gc!()
  process.send!('collected')
})
process.on('disconnect', () => process.exit())
process.send!(origin)
