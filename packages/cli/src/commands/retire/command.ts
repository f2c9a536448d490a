import { type OptionsOf, controllersOption, defineCommand, parseVersion, routesOption } from '../define.ts'

export const retireCommand = () =>
  defineCommand(
    'retire',
    'delete the code of a retired version, and keep its 410',
    'hv-router retire 1 --usage usage.json',
  )
    .argument('<version>', 'the version: 1', parseVersion)
    .option(...routesOption)
    .option(...controllersOption)
    .option('--usage <file>', 'refuse while somebody called the version in the last 30 days')
    .option('--dry-run', 'print what would change, and change nothing')

export type RetireOptions = OptionsOf<typeof retireCommand>
