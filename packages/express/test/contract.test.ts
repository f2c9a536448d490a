import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { Problem } from '@hv/router'
import { type AdapterUnderTest, runContract, runSmoke } from '@hv/router-contract'
import cors from 'cors'
import express, { type NextFunction, type Request, type Response } from 'express'
import { type RouterOptions, createRouter } from '../src/index.ts'

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null)?.then === 'function'

const isAsyncIterable = (value: unknown): value is AsyncIterable<string> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const adapter: AdapterUnderTest = {
  name: 'Express',
  native: (action) =>
    function (this: never, req: Request, res: Response) {
      const { format, version } = req.apiMatch!
      const send = (result: unknown) => {
        if (isAsyncIterable(result)) Readable.from(result).pipe(res)
        else res.send(result)
      }
      const exchange = { params: req.params as never, body: req.body as unknown, format, version }
      const setHeader = (name: string, value: string) => void res.setHeader(name, value)
      const result = action.call(this, { ...exchange, setHeader })
      if (!isThenable(result)) return send(result)
      return {
        // oxlint-disable-next-line unicorn/no-thenable -- what an action returns stays a thenable
        then: (resolve: (sent: void) => void, reject: () => void) =>
          result.then((value) => resolve(send(value)), reject),
      }
    },
  async serve({ mounts, replaceProblem, options: more, cors: handlesCors = false }) {
    const app = express()
    if (handlesCors) app.use(cors({ origin: 'https://app.example' }))
    app.use(express.json())
    const problem = (found: Problem, _req: Request, res: Response) => {
      res.status(200).type('json')
      return replaceProblem!(found)
    }
    const options: RouterOptions = { json: {}, ...(replaceProblem && { problem }), ...more }
    for (const { routes, controllers, prefix } of mounts)
      app.use(prefix || '/', createRouter(routes as never, controllers as never, options))
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

if (process.env['EXPRESS_RELEASE'] === undefined) runContract(adapter)
else runSmoke(adapter)
