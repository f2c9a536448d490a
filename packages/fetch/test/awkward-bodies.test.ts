import { type Sent, runAwkwardBodies } from '@hv/router-contract'
import { createRouter } from '../src/index.ts'

const respond = ({ status, headers, body }: Sent): Response =>
  new Response(body as never, { status, headers })

runAwkwardBodies({
  name: 'fetch',
  header: (name, request: Request) => request.headers.get(name)!,
  body: (_request: Request, { body }: { body: unknown }) => body,
  ways: {
    value: ({ status, body }) => Response.json(JSON.parse(String(body)), { status }),
    text: respond,
    bytes: respond,
    chunked: ({ status, headers, body }) => {
      const stream = new ReadableStream({
        start(controller) {
          for (const byte of Buffer.from(body)) controller.enqueue(new Uint8Array([byte]))
          controller.close()
        },
      })
      return new Response(stream, { status, headers })
    },
  },
  misuses: {},
  async serve(routes, controllers, validator, compress) {
    if (compress !== null) return null
    const error = (thrown: unknown): Response => {
      const { message, status = 500 } = thrown as { message: string; status?: number }
      return new Response(message, { status })
    }
    const handler = createRouter(routes as never, controllers as never, { validator, error })
    return {
      request: (path, init) => handler(new Request(`http://localhost${path}`, init)),
      close: async () => {},
    }
  },
})
