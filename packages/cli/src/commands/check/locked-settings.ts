import type { Settings } from '@hv/router'
import { type Finding, error } from './finding.ts'

export type LockedSettings = ReturnType<typeof lockSettings>

/** The settings that decide how every request is routed. */
export const lockSettings = (settings: Settings) => {
  const { vendor, formats, strict, requireVersion } = settings
  /** The version of requests that don't ask for one. */
  const defaultVersion = requireVersion ? ('required' as const) : settings.defaultVersion
  return { vendor, defaultVersion, formats, strict }
}

/** Changed settings with which the API rejects released clients, or responds differently. */
export function compareSettings(
  released: LockedSettings,
  settings: Settings,
  hasEnded: (version: string) => boolean,
): readonly Finding[] {
  const now = lockSettings(settings)
  const findings: Finding[] = []
  if (now.vendor !== released.vendor)
    findings.push(
      error(
        'changed-vendor',
        `the released vendor string changed from '${released.vendor}' to '${now.vendor}': ` +
          'requests that ask for a version get a 406 response',
      ),
    )
  // Who had to ask for a version still may, and nobody relies on a default that has ended.
  const isDefaultKept =
    released.defaultVersion === now.defaultVersion ||
    released.defaultVersion === 'required' ||
    hasEnded(String(released.defaultVersion))
  if (!isDefaultKept)
    findings.push(
      error(
        'changed-default',
        "the version of requests that don't ask for one changed " +
          `from ${released.defaultVersion} to ${now.defaultVersion}`,
      ),
    )
  if (!areFormatsKept(released.formats, now.formats))
    findings.push(
      error(
        'changed-formats',
        'the released formats changed ' +
          `from ${JSON.stringify(released.formats)} to ${JSON.stringify(now.formats)}`,
      ),
    )
  if (now.strict && !released.strict)
    findings.push(
      error(
        'changed-strictness',
        'strict is new: browsers, whose Accept header asks for no version, now get a 406 response',
      ),
    )
  return findings
}

function areFormatsKept(released: Settings['formats'], now: Settings['formats']): boolean {
  // `'any'` changes which values a parameter can have, so it's never a mere addition.
  if (released === 'any' || now === 'any') return released === now
  return (released || []).every((format) => (now || []).includes(format))
}
