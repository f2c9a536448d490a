import { type OptionsOf, controllersOption, defineCommand, parseList, parseVersion } from '../define.ts'

export const bumpCommand = () =>
  defineCommand('bump', 'write the next version of every controller', 'hv-router bump --only users,teams --routes')
    .option(...controllersOption)
    .option('--only <controllers>', 'only these: users,admin/teams', parseList)
    .option('--to <version>', 'the version to write (default: one above the highest)', parseVersion)
    .option('--routes [file]', 'add the version to the route file, too')
    .option('--dry-run', 'print what would be written, and write nothing')
    .option('--force', 'overwrite existing files')

export type BumpOptions = OptionsOf<typeof bumpCommand>
