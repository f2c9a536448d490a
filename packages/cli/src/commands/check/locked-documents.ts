import { compareDocuments, withoutProse } from '@hv/router-openapi'
import type { Documents } from '../../project/documents.ts'
import { type Finding, warning } from './finding.ts'

interface Locked {
  readonly openapi?: string
  readonly security?: object
  readonly paths?: object
  readonly webhooks?: object
  readonly components?: object
}

/** The parts of the documents that clients rely on: no descriptions, no examples, and no servers, which differ by environment. */
export const lockDocuments = (documents: Documents): Documents =>
  Object.fromEntries(
    Object.entries(documents as Readonly<Record<string, Locked>>).map(
      ([version, { openapi, security = [], paths, webhooks, components }]) => [
        version,
        withoutProse({ openapi, security, paths, webhooks, components }),
      ],
    ),
  )

/** What the documents of the released versions promise, and the current ones do not keep. */
export function compareLockedDocuments(
  released: Documents | undefined,
  current: Documents | null,
  hasEnded: HasEnded,
  { openEnums, onVersion }: DocumentOptions,
): readonly Finding[] {
  if (released === undefined && current === null) return []
  if (released === undefined)
    return [notCompared('the lock file has none. Write them: check --update-lock --documents <module>')]
  if (current === null) return [notCompared('the lock file has them. Pass the current ones: --documents <module>')]
  const versions = Object.entries(released).filter(([version]) => !hasEnded(version))
  return versions.flatMap(([version, document], index): readonly Finding[] => {
    const now = current[version]
    if (now === undefined) return [notCompared(`the module has no document of version ${version}`)]
    onVersion(version, index + 1, versions.length)
    return compareDocuments(document, now, { openEnums })
      .filter(({ code, operation }) => code !== 'lost-operation' || !hasEnded(version, operation))
      .map(({ severity: level, cause, message, ...rest }) => ({
        ...rest,
        level,
        message: `version ${version}: ${rest.operation}: ${message}`,
        cause: `version ${version}: ${cause}`,
      }))
  })
}

/** Whether a version, or one of its operations, is past its sunset. */
export type HasEnded = (version: string, operation?: string) => boolean

export interface DocumentOptions {
  readonly openEnums: boolean
  /** Called before the documents of a version are compared, which can take seconds. */
  readonly onVersion: (version: string, index: number, total: number) => void
}

const notCompared = (why: string): Finding => warning('documents-not-compared', `documents are not compared: ${why}`)
