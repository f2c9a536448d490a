// How Nest's pipes convert an older version's requests. The platform's adapter converts responses.
import type { Schema } from '@hv/router'
import { type RequestStep, type SchemaAction, translationOf } from '@hv/router/adapter'
import { rejectedAfter } from '@hv/router/internal'
import { HttpException, type PipeTransform, type Type } from '@nestjs/common'
import { requestParts } from './action-schema.ts'
import { classOf } from './dto-schema.ts'
import type { WrapPipes } from './internals.ts'

type Transform = PipeTransform<unknown, Promise<unknown>>['transform']

/**
 * Runs a parameter's pipes once for each version: first with the older DTO, and after each
 * conversion with the next one.
 */
export function convertingPipes(action: SchemaAction): WrapPipes {
  const { request } = translationOf(action)
  return (type, pipes) => {
    const part = requestParts[type]
    const steps = part && request[part]
    if (steps === undefined) return pipes
    const runOlder = runWith(pipes, action.schema![part!]!)
    const conversions = steps.map((step) => ({ step, run: runWith(pipes, step.schema) }))
    const transform: Transform = async (sent, metadata) => {
      let value = await runOlder(sent, metadata)
      for (const { step, run } of conversions)
        value = await run(step.convert(value), metadata).catch((error: unknown) => {
          throw rejectedBy(step, error)
        })
      return value
    }
    return [{ transform }]
  }
}

/** Creates the function that runs pipes with a schema's class. */
function runWith(pipes: readonly PipeTransform[], schema: Schema): Transform {
  const metatype = classOf(schema) ?? dtoOf(schema)
  return async (sent, metadata) => {
    // Nest 12 has a library's schema beside the class: @Body({ schema }).
    const about = { ...metadata, metatype, ...('schema' in metadata && { schema }) }
    let value = sent
    for (const pipe of pipes) value = await pipe.transform(value, about as never)
    return value
  }
}

/**
 * Returns what nestjs-zod's pipe accepts as a DTO class, because a schema that a change rebuilt has
 * none.
 */
function dtoOf(schema: Schema): Type | undefined {
  const { parse } = schema as any
  return (
    parse &&
    class {
      static readonly isZodDto = true
      static readonly schema = schema
      static readonly create = parse
    }
  )
}

/** The client doesn't know the newer fields, so the newer validator's messages name the change. */
function rejectedBy({ about }: RequestStep, error: unknown): unknown {
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return error
  const response = Object(error.getResponse())
  const messages = [response.message ?? error.message].flat()
  const message = messages.map((text) => `the request ${rejectedAfter(about, [], String(text))}`)
  return Object.assign(error, { getResponse: () => ({ ...response, message }) })
}
