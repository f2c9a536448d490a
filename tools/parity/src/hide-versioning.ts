// Takes the headers that versioning adds out of responses, for tests that compare all headers.
import { ServerResponse } from 'node:http'

export function hideVersioning(): void {
  const { writeHead } = ServerResponse.prototype
  const writeHeadWithout = function (this: ServerResponse, ...values: unknown[]) {
    const given = values.find(isHeaders)
    if (given !== undefined) {
      delete given['api-version']
      setVary(given['vary'], (vary) => {
        if (vary === '') delete given['vary']
        else given['vary'] = vary
      })
    }
    this.removeHeader('api-version')
    setVary(this.getHeader('vary'), (vary) => {
      if (vary === '') this.removeHeader('vary')
      else this.setHeader('vary', vary)
    })
    return Reflect.apply(writeHead, this, values)
  }
  Object.assign(ServerResponse.prototype, { writeHead: writeHeadWithout })
}

const isHeaders = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function setVary(value: unknown, set: (vary: string) => void): void {
  if (value === undefined) return
  const names = String(value)
    .split(',')
    .map((name) => name.trim())
  set(names.filter((name) => name.toLowerCase() !== 'accept').join(', '))
}
