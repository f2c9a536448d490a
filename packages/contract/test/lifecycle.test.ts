// The worked cases of the life of an API on the core alone: an adapter without a framework or a socket.
import { createAddHeaders, createDispatcher } from '@hv/router/adapter'
import { describeLifecycle } from '../src/cases/lifecycle.ts'
import { lifecycleApi } from '../src/life-apps.ts'
import type { NeutralAction } from '../src/types.ts'

const addHeaders = createAddHeaders<Headers>(
  (headers, name) => headers.get(name) ?? undefined,
  (headers, name, value) => headers.set(name, value),
)

describeLifecycle(async (row) => {
  const { routes, controllers } = lifecycleApi(row, (action) => action as never)
  let time = 0
  const { dispatch, reply } = createDispatcher(routes, controllers, { now: () => time })
  return {
    setTime: async (now) => void (time = now),
    async request(method, path, accept) {
      const headers = new Headers()
      const answer = dispatch(method, path, accept || undefined, undefined)
      if (answer.kind === 'pass') return { status: 404, headers, text: '' }
      if (answer.kind === 'error') throw answer.error
      let status = 200
      let body: unknown
      if (answer.kind === 'problem') ({ status, body } = await reply(answer))
      else {
        try {
          const action = answer.action.handler as unknown as NeutralAction
          body = action.call({ greeting: '' }, {
            setHeader: (name: string, value: string) => headers.set(name, value),
          } as never)
        } catch {
          status = 500
        }
      }
      headers.set('content-type', answer.type)
      addHeaders(headers, answer.headers)
      return { status, headers, text: method === 'HEAD' ? '' : JSON.stringify(body ?? '') }
    },
    close: () => Promise.resolve(),
  }
})
