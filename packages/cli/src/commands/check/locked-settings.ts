import type { Settings } from '@hv/router'
import { type Finding, error } from './finding.ts'

/** The settings that decide how every request is answered. */
export interface LockedSettings {
  readonly vendor: string
  /** The version of a request that names none. */
  readonly defaultVersion: number | 'oldest' | 'required'
  readonly formats: Settings['formats']
  readonly strict: boolean
}

export const lockSettings = (settings: Settings): LockedSettings => ({
  vendor: settings.vendor,
  defaultVersion: settings.requireVersion ? 'required' : settings.defaultsToOldest ? 'oldest' : settings.defaultVersion,
  formats: settings.formats,
  strict: settings.strict,
})

export function areSettings(value: unknown): value is LockedSettings {
  const { vendor, defaultVersion, formats, strict } = (value ?? {}) as Partial<Record<keyof LockedSettings, unknown>>
  return (
    typeof vendor === 'string' &&
    ['number', 'string'].includes(typeof defaultVersion) &&
    (Array.isArray(formats) || formats === 'any' || formats === false) &&
    typeof strict === 'boolean'
  )
}

/**
 * Settings that refuse requests of released clients, or answer them differently.
 *
 * @param hasEnded - whether a version is past its sunset, so that nobody relies on it as the default
 */
export function compareSettings(
  released: LockedSettings,
  settings: Settings,
  hasEnded: (version: string) => boolean,
): readonly Finding[] {
  const now = lockSettings(settings)
  // A required version accepts what it accepted before, and the oldest version may be the one that was the default.
  const isSameDefault =
    released.defaultVersion === now.defaultVersion ||
    released.defaultVersion === 'required' ||
    (typeof released.defaultVersion === 'number' && hasEnded(String(released.defaultVersion))) ||
    (now.defaultVersion === 'oldest' && released.defaultVersion === settings.defaultVersion)
  const lost = lostFormats(released.formats, now.formats)
  const changes: readonly (readonly [isChanged: boolean, code: string, message: string])[] = [
    [
      now.vendor !== released.vendor,
      'changed-vendor',
      `the released vendor string changed from '${released.vendor}' to '${now.vendor}': requests with a version get a 406 response`,
    ],
    [
      !isSameDefault,
      'changed-default',
      `requests without a version got ${describe(released.defaultVersion)} in the release, and now get ${describe(now.defaultVersion)}`,
    ],
    [lost !== null, 'changed-formats', `the released formats ${lost}`],
    [
      now.strict && !released.strict,
      'changed-strictness',
      'strict is new: browsers, whose Accept header names no version, now get a 406 response',
    ],
  ]
  return changes.flatMap(([isChanged, code, message]) => (isChanged ? [error(code, message)] : []))
}

const describe = (version: LockedSettings['defaultVersion']): string =>
  typeof version === 'number' ? `version ${version}` : version === 'oldest' ? 'the oldest version' : 'status 400'

/** A format that is added does not change requests that worked. `'any'` changes which values a parameter may have. */
function lostFormats(released: Settings['formats'], now: Settings['formats']): string | null {
  if (released === 'any' || now === 'any')
    return released === now ? null : `changed from ${JSON.stringify(released)} to ${JSON.stringify(now)}`
  const kept = new Set(now === false ? [] : now)
  const lost = (released === false ? [] : released).filter((format) => !kept.has(format))
  return lost.length === 0 ? null : `lost ${lost.join(', ')}`
}
