import { type OptionsOf, defineCommand } from '../define.ts'

export const openapiCommand = () =>
  defineCommand(
    'openapi',
    'write the OpenAPI document of each version',
    'hv-router openapi --documents src/documents.ts --out openapi',
  )
    .requiredOption('--documents <module>', 'a module that exports `documents`: an object by version, or a function')
    .option('--out <folder>', 'where to write v1.json and so on', 'openapi')
    .option('--check', 'write nothing; exit with 1 if a file differs')

export type OpenapiOptions = OptionsOf<typeof openapiCommand>
