import { type OptionsOf, controllersOption, defineCommand, jsonOption, parseDays, routesOption } from '../define.ts'

export const checkCommand = () =>
  defineCommand('check', 'find what is missing, unreachable, or changed after its release', 'hv-router check --lock')
    .option(...routesOption)
    .option(...controllersOption)
    .option('--lock [file]', 'compare with the released versions (default: routes.lock.json)')
    .option('--documents <module>', 'compare request and response schemas, too: a module that exports `documents`')
    .option('--update-lock', 'record all declared versions as released')
    .option('--within <days>', 'warn about versions and routes that end within this many days (default: 30)', parseDays)
    .option(...jsonOption)

export type CheckOptions = OptionsOf<typeof checkCommand>
