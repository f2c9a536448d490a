import type { Settings } from '@hv/router'
import { type Finding, error } from './finding.ts'

export type LockedSettings = ReturnType<typeof lockSettings>

/** The settings that decide how every request is answered. */
export const lockSettings = ({ vendor, formats, strict, ...rest }: Settings) =>
  ({
    vendor,
    /** The version of a request that names none. */
    defaultVersion: rest.requireVersion ? 'required' : rest.defaultVersion,
    formats,
    strict,
  }) as const

/** Settings that refuse requests of released clients, or answer them differently. Nobody relies on a default that has ended. */
export function compareSettings(
  released: LockedSettings,
  settings: Settings,
  hasEnded: (version: string) => boolean,
): readonly Finding[] {
  const now = lockSettings(settings)
  // An API that required a version loses nothing when it stops.
  const isSameDefault =
    released.defaultVersion === now.defaultVersion ||
    released.defaultVersion === 'required' ||
    (typeof released.defaultVersion === 'number' && hasEnded(String(released.defaultVersion)))
  const [formats, later] = [released.formats || [], now.formats || []]
  // `'any'` changes which values a parameter may have.
  const areKept =
    formats === 'any' || later === 'any'
      ? formats === later
      : formats.every((format) => later.includes(format))
  const changes: Readonly<Record<string, string | false>> = {
    'changed-vendor':
      now.vendor !== released.vendor &&
      `the released vendor string changed from '${released.vendor}' to '${now.vendor}': requests with a version get a 406 response`,
    'changed-default':
      !isSameDefault &&
      `the version of requests that name none changed from ${released.defaultVersion} to ${now.defaultVersion}`,
    'changed-formats':
      !areKept &&
      `the released formats changed from ${JSON.stringify(released.formats)} to ${JSON.stringify(now.formats)}`,
    'changed-strictness':
      now.strict &&
      !released.strict &&
      'strict is new: browsers, whose Accept header names no version, now get a 406 response',
  }
  return Object.entries(changes).flatMap(([code, message]) =>
    message === false ? [] : [error(code, message)],
  )
}
