// The worked cases of the life of an API on the core alone: an adapter without a framework or a socket.
import { createMatcher } from '@hv/router'
import { bindActions, createAddHeaders, createAnswer } from '@hv/router/adapter'
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
  const { match } = createMatcher(routes, { now: () => time })
  const answer = createAnswer(routes, bindActions(routes, controllers))
  return {
    setTime: async (now) => void (time = now),
    async request(method, path, accept) {
      const headers = new Headers()
      const found = match(method, path, accept || undefined)
      if (found.kind === 'miss' && found.code === 'unknown-path') return { status: 404, headers, text: '' }
      const answered = answer(found)
      let status = 200
      let body: unknown
      if (answered.kind === 'problem') {
        status = answered.status
        body = answered.problem ?? ''
      } else {
        try {
          const action = answered.action.handler as unknown as NeutralAction
          body = action.call({ greeting: '' }, {
            setHeader: (name: string, value: string) => headers.set(name, value),
          } as never)
        } catch {
          status = 500
        }
      }
      headers.set('content-type', answered.type)
      addHeaders(headers, answered.headers)
      return { status, headers, text: method === 'HEAD' ? '' : JSON.stringify(body ?? '') }
    },
    close: () => Promise.resolve(),
  }
})
