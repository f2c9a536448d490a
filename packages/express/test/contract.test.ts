import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { type AdapterUnderTest, runContract } from '@hv/router-contract'
import { runOriginal } from '@hv/router-contract/original'
import cors from 'cors'
import express, { type NextFunction, type Request, type Response } from 'express'
import { createRouter } from '../src/index.ts'

const adapter: AdapterUnderTest = {
  name: 'Express',
  native: (action) =>
    async function (this: never, req: Request, res: Response) {
      const { format, version } = req.apiMatch!
      const result = await action.call(this, { params: req.params as never, body: req.body, format, version })
      if (result instanceof Readable) result.pipe(res)
      else res.json(result)
    },
  async serve({ mounts, replaceProblem = false, cors: handlesCors = false }) {
    const app = express()
    if (handlesCors) app.use(cors({ origin: 'https://app.example' }))
    app.use(express.json())
    const options = {
      problem(problem: { type: string }, _req: Request, res: Response) {
        res.status(200).type('json')
        return { mine: problem.type }
      },
    }
    for (const { routes, controllers, prefix } of mounts)
      app.use(prefix || '/', createRouter(routes as never, controllers as never, replaceProblem ? options : {}))
    app.get('/plain', (_req, res) => void res.json({ plain: true }))
    app.use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
      res.status(500).json({ caught: error.message })
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
}

runContract(adapter)
runOriginal(adapter)
