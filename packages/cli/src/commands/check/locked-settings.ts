import type { RouteFile } from '../../route-file/route-file.ts'
import { type Finding, error } from './finding.ts'

export type LockedSettings = ReturnType<typeof lockSettings>

/** The settings that decide how every request is routed. */
export const lockSettings = ({ settings, defaultVersion }: RouteFile) => {
  const { vendor, formats, strict } = settings
  return { vendor, defaultVersion: defaultVersion ?? 'required', formats, strict } as const
}

/**
 * Reports changed settings that make the API reject released clients, or respond to them
 * differently.
 */
export function compareSettings(
  released: LockedSettings,
  now: LockedSettings,
  hasEnded: (version: string) => boolean,
): Finding[] {
  // A client that had to name a version still can, and once a default version has ended, nobody
  // relies on it.
  const isDefaultKept =
    [now.defaultVersion, 'required'].includes(released.defaultVersion) ||
    hasEnded(String(released.defaultVersion))
  // `'any'` also changes which values a parameter can have, so it doesn't count as adding formats.
  const areFormatsKept =
    released.formats === 'any' || now.formats === 'any'
      ? released.formats === now.formats
      : (released.formats || []).every((format) => (now.formats || []).includes(format))
  const formats = [released.formats, now.formats].map((setting) => JSON.stringify(setting))
  const changes = [
    [
      'changed-vendor',
      now.vendor !== released.vendor,
      `the released vendor string changed from '${released.vendor}' to '${now.vendor}': ` +
        'requests that ask for a version get a 406 response',
    ],
    [
      'changed-default',
      !isDefaultKept,
      "the version of requests that don't ask for one changed " +
        `from ${released.defaultVersion} to ${now.defaultVersion}`,
    ],
    [
      'changed-formats',
      !areFormatsKept,
      `the released formats changed from ${formats.join(' to ')}`,
    ],
    [
      'changed-strictness',
      now.strict && !released.strict,
      'strict is new: browsers, whose Accept header asks for no version, now get a 406 response',
    ],
  ] as const
  return changes.flatMap(([code, isChanged, message]) => (isChanged ? error(code, message) : []))
}
