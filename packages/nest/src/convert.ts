// How Nest's pipes convert an older version's requests. The platform's adapter converts responses.
import type { Schema } from '@hv/router'
import { type RequestStep, type SchemaAction, translationOf } from '@hv/router/adapter'
import { rejectedAfter } from '@hv/router/internal'
import { HttpException, type PipeTransform } from '@nestjs/common'
import { requestParts } from './action-schema.ts'
import { classOf } from './dto-schema.ts'
import type { WrapPipes } from './internals.ts'

type Metadata = Parameters<PipeTransform['transform']>[1]
type Run = (value: unknown, metadata: Metadata) => Promise<unknown>

/**
 * Runs a parameter's pipes once for each version: first with the older DTO, and after each
 * conversion with the next one.
 */
export function convertingPipes(action: SchemaAction | undefined): WrapPipes | undefined {
  const { request } = translationOf(action ?? {})
  if (Object.keys(request).length === 0) return undefined
  return ({ type, data }, pipes) => {
    const part = requestParts[type]
    const steps = part && request[part]
    if (steps === undefined || data !== undefined) return pipes
    const runOlder = runWith(pipes, action!.schema![part!]!)
    const conversions = steps.map((step) => ({ step, run: runWith(pipes, step.schema) }))
    const transform: Run = async (sent, metadata) => {
      let value = await runOlder(sent, metadata)
      for (const { step, run } of conversions) {
        const converted = step.convert(value)
        try {
          value = await run(converted, metadata)
        } catch (error) {
          throw rejection(error, part === 'querystring' ? 'query' : part!, step)
        }
      }
      return value
    }
    return [{ transform }]
  }
}

/** Creates the function that runs pipes with a schema's class. */
function runWith(pipes: readonly PipeTransform[], schema: Schema): Run {
  const metatype = classOf(schema)
  return async (sent, metadata) => {
    // Nest 12 has a library's schema beside the class: @Body({ schema }).
    const isLibrary = (metadata as { schema?: unknown }).schema !== undefined
    const about = { ...metadata, ...(isLibrary ? { schema } : { metatype }) } as Metadata
    let value = sent
    for (const pipe of pipes) value = (await pipe.transform(value, about)) as unknown
    return value
  }
}

/** The client doesn't know the newer fields, so the newer validator's messages name the change. */
function rejection(error: unknown, part: string, { about }: RequestStep): unknown {
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return error
  const say = (text: unknown): unknown =>
    typeof text === 'string' ? `${part} ${rejectedAfter(about, [], text)}` : text
  const response = error.getResponse()
  const isObject = typeof response === 'object'
  const { message } = (isObject ? response : { message: response }) as { message?: unknown }
  const said = Array.isArray(message) ? message.map(say) : say(message)
  const renamed = isObject ? { ...response, message: said } : said
  return Object.assign(error, { getResponse: () => renamed })
}
