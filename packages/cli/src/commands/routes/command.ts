import {
  type OptionsOf,
  controllersOption,
  defineCommand,
  jsonOption,
  parseVerb,
  parseVersions,
  routesOption,
} from '../define.ts'

export const routesCommand = () =>
  defineCommand('routes', 'list the routes', 'hv-router routes --for 2 --verb get --path users')
    .option(...routesOption)
    .option(...controllersOption)
    .option('--for <versions>', 'only these versions: 2 or 1,3', parseVersions)
    .option('--resource <name>', 'only this controller: users, admin/users')
    .option('--verb <method>', 'only this method: get', parseVerb)
    .option('--path <text>', 'only paths that contain this text')
    .option(...jsonOption)

export type RoutesOptions = OptionsOf<typeof routesCommand>
