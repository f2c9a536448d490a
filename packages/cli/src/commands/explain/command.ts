import { type OptionsOf, defineCommand, jsonOption, routesOption } from '../define.ts'

export const explainCommand = () =>
  defineCommand(
    'explain',
    'explain how a request is routed',
    "hv-router explain GET /api/users/7 --accept 'application/vnd.acme+json;version=2'",
  )
    .argument('<method>', 'GET')
    .argument('<path>', '/api/users/7')
    .option('--accept <header>', 'the Accept header')
    .option(...routesOption)
    .option(...jsonOption)

export type ExplainOptions = OptionsOf<typeof explainCommand>
