import { compareDocuments, withoutProse } from '@hv/router-openapi'
import type { Documents } from '../../project/documents.ts'
import { type Finding, warning } from './finding.ts'

interface Locked {
  readonly security?: object
  readonly paths?: object
  readonly components?: object
}

/** The parts of the documents that clients rely on: no descriptions, no examples. */
export const lockDocuments = (documents: Documents): Documents =>
  Object.fromEntries(
    Object.entries(documents as Readonly<Record<string, Locked>>).map(
      ([version, { security = [], paths, components }]) => [version, withoutProse({ security, paths, components })],
    ),
  )

/**
 * What the documents of the released versions promise, and the current ones do not keep.
 *
 * @param hasEnded - whether an operation, or its version, is past its sunset
 */
export function compareLockedDocuments(
  released: Documents | undefined,
  current: Documents | null,
  hasEnded: (version: string, operation: string) => boolean,
): readonly Finding[] {
  if (released === undefined && current === null) return []
  if (released === undefined)
    return [notCompared('the lock file has none. Write them: hv-router check --update-lock --documents <module>')]
  if (current === null) return [notCompared('the lock file has them. Name the current ones: --documents <module>')]
  return Object.entries(released).flatMap(([version, document]): readonly Finding[] => {
    if (hasEnded(version, '')) return []
    const now = current[version]
    if (now === undefined) return [notCompared(`the module has no document of version ${version}`)]
    const findings = compareDocuments(document, now).filter(
      ({ code, operation }) => code !== 'lost-operation' || !hasEnded(version, operation),
    )
    return findings.map(({ code, operation, message, direction, pointer, remedy }) => ({
      code,
      message: `version ${version}: ${operation}: ${message}`,
      level: 'error',
      direction,
      pointer,
      remedy,
    }))
  })
}

const notCompared = (why: string): Finding => warning('documents-not-compared', `documents are not compared: ${why}`)
