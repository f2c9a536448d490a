import { resolve } from 'node:path'
import { type Io, UsageError } from '../../output.ts'
import { isByName, isByVersion, readJson } from '../../project/json.ts'

/** Version → client → its last call: `{ "1": { "acme-ios": { "calls": 12, "last": "2027-06-30T12:00:00Z" } } }`. */
type Usage = Readonly<
  Record<string, Readonly<Record<string, { readonly calls?: number; readonly last?: string }>>>
>

/** A client that called a version. */
export interface Caller {
  readonly client: string
  readonly calls: number | undefined
  readonly last: string
}

/** Reads who called: by version, the last caller first. */
export function readUsage(io: Io, file: string): (version: number) => readonly Caller[] {
  const usage = readJson(io, resolve(io.cwd, file)) as Usage
  // A file of another form would look as if nobody called.
  if (!isByVersion(usage, (clients) => isByName(clients, (client) => isByName(client))))
    throw new UsageError(
      `${file} has no calls by version and client: { "1": { "acme-ios": { "last": "2027-06-30" } } }.`,
    )
  return (version) =>
    Object.entries(usage[version] ?? {})
      .map(([client, { calls, last }]) => {
        const time = Date.parse(last ?? '')
        if (Number.isNaN(time))
          throw new UsageError(
            `${file} has no date of the last call of ${client} to version ${version}.`,
          )
        return { client, calls, last: last!, time }
      })
      .toSorted((a, b) => b.time - a.time)
}
