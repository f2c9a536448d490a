import { resolve } from 'node:path'
import { type Io, UsageError } from '../../output.ts'
import { isByName, isByVersion, readJson } from '../../project/json.ts'

/** A client that called a version. */
export interface Caller {
  readonly client: string
  readonly calls: number | undefined
  /** When it last did: `2027-06-30T12:00:00Z`. */
  readonly last: string
}

const isCalls = (value: unknown): boolean =>
  isByName(value) &&
  typeof value['last'] === 'string' &&
  !Number.isNaN(Date.parse(value['last'])) &&
  ['number', 'undefined'].includes(typeof value['calls'])

/** Reads who called a version, from a file. Who called last comes first. */
export function readUsage(io: Io, file: string): (version: number) => readonly Caller[] {
  const usage = readJson(io, resolve(io.cwd, file))
  // If a file of a different shape were accepted, it'd look as if nobody called.
  if (!isByVersion(usage, (clients) => isByName(clients, isCalls)))
    throw new UsageError(
      `${file} doesn't list calls by version and client, each with the date of the last one: ` +
        '{ "1": { "acme-ios": { "calls": 12, "last": "2027-06-30" } } }.',
    )
  return (version) =>
    Object.entries((usage[version] ?? {}) as Readonly<Record<string, Omit<Caller, 'client'>>>)
      .map(([client, calls]) => ({ client, ...calls }))
      .toSorted((a, b) => Date.parse(b.last) - Date.parse(a.last))
}
