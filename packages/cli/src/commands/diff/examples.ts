import type { RecordedResponse } from '@hv/router/testing'
import type { Contracts } from '../../project/documents.ts'

/** A recorded request whose responses differ between two versions. */
export interface Example {
  readonly name: string
  readonly before: RecordedResponse
  readonly after: RecordedResponse
}

/** What a client of a version reads about the changes up to a later version, in the order in which they were made. */
export const changesBetween = (
  changes: Contracts['changes'],
  from: number,
  to: number,
): readonly string[] =>
  Object.entries(changes)
    .filter(([version]) => Number(version) >= from && Number(version) < to)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .flatMap(([, own]) => own.map(({ about }) => about))

/** The recorded requests that succeed in one of the versions at least, and whose responses differ in more than the version. */
export function examplesOf(
  recordings: Contracts['recordings'],
  from: number,
  to: number,
): readonly Example[] {
  const later = recordings[to] ?? {}
  return Object.entries(recordings[from] ?? {}).flatMap(([name, before]) => {
    const after = Object.hasOwn(later, name) ? later[name]! : null
    if (after === null || (before.status >= 400 && after.status >= 400)) return []
    const isSame =
      responseLines(before, after).join('\n') === responseLines(after, before).join('\n')
    return isSame ? [] : [{ name, before, after }]
  })
}

/** A response with the headers that differ from another one, but for those that name its version. */
export function responseLines(
  { status, headers, body }: RecordedResponse,
  other: RecordedResponse,
): readonly string[] {
  const own = Object.entries(headers).filter(
    ([header, value]) =>
      !['api-version', 'content-type'].includes(header) && value !== other.headers[header],
  )
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  const lines = text === '' ? [] : ['', ...text.split('\n')]
  return [`HTTP/1.1 ${status}`, ...own.map(([header, value]) => `${header}: ${value}`), ...lines]
}
