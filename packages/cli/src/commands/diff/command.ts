import { type OptionsOf, controllersOption, defineCommand, jsonOption, parseVersion, routesOption } from '../define.ts'

export const diffCommand = () =>
  defineCommand('diff', 'show what changes for a client between two versions', 'hv-router diff 1 2 --markdown')
    .argument('<from>', 'a version', parseVersion)
    .argument('<to>', 'a version', parseVersion)
    .option(...routesOption)
    .option(...controllersOption)
    .option('--documents <module>', 'compare requests and responses, too: a module that exports `documents`')
    .option('--guide', 'print an upgrade guide for clients, as Markdown')
    .option('--markdown', 'print Markdown for a changelog')
    .option(...jsonOption)

export type DiffOptions = OptionsOf<typeof diffCommand>
