import { InvalidArgumentError } from 'commander'
import { type OptionsOf, defineCommand, jsonOption, routesOption } from '../define.ts'

export const explainCommand = () =>
  defineCommand(
    'explain',
    'explain how a request is routed',
    "hv-router explain GET /api/users/7 --accept 'application/vnd.acme+json;version=2'",
  )
    .argument('<method>', 'GET', parseMethod)
    .argument('<path>', '/api/users/7', parsePath)
    .option('--accept <header>', 'the Accept header')
    .option(...routesOption)
    .option(...jsonOption)

function parseMethod(text: string): string {
  if (!/^[a-z]+$/i.test(text)) throw new InvalidArgumentError('Pass the method first, then the path: GET /api/users/7.')
  return text.toUpperCase()
}

function parsePath(text: string): string {
  if (!/^(?:\/|\*$|https?:\/\/)/i.test(text))
    throw new InvalidArgumentError('A path starts with a slash: /api/users/7.')
  return text
}

export type ExplainOptions = OptionsOf<typeof explainCommand>
