import { type OptionsOf, controllersOption, defineCommand, routesOption } from '../define.ts'

export const mapCommand = () =>
  defineCommand('map', 'write a file that imports every controller, for bundlers', 'hv-router map --force')
    .option(...routesOption)
    .option(...controllersOption)
    .option('--out <file>', 'the file to write (default: map.ts or map.js beside the controllers)')
    .option('--force', 'overwrite an existing file')

export type MapOptions = OptionsOf<typeof mapCommand>
