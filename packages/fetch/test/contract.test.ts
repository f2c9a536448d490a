// The suite on Node.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type AdapterUnderTest, runContract } from '@hv/router-contract'
import { createApp, native } from './app.ts'
import { pathOf } from './path-of.ts'

const adapter: AdapterUnderTest = {
  name: 'fetch on Node',
  native,
  pathOf,
  measuresHead: false,
  async serve(app) {
    const server = serve({ fetch: createApp(app), hostname: '127.0.0.1', port: 0 }) as Server
    if (!server.listening) await once(server, 'listening')
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async close() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  },
}

runContract(adapter)
