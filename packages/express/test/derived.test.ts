import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { answerError, headOnExpress, onExpress, runDerived } from '@hv/router-contract'
import express, { type NextFunction, type Request, type Response } from 'express'
import { createRouter } from '../src/index.ts'

runDerived({
  ...onExpress,
  name: process.env['EXPRESS_RELEASE'] ?? 'express5',
  header: (name, req: Request) => req.get(name)!,
  async serve({ routes, controllers, handler }) {
    const app = express()
    app.get('/native', handler)
    app.use(createRouter(routes, controllers))
    app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
      const { text, ...head } = answerError(error)
      headOnExpress(res, head).json(JSON.parse(text))
    })
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async close() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  },
})
