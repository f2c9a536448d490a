import { createHmac, randomBytes } from 'node:crypto'
import { networkOf } from './lib/network.ts'

/** What is recorded. SECURITY.md says when. */
export type AuditEvent =
  | 'login.right'
  | 'login.wrong'
  | 'login.blocked'
  | 'token.invalid'
  | 'token.revoked'
  | 'user.created'
  | 'user.deleted'
  | 'user.unlocked'
  | 'name.changed'
  | 'password.changed'
  | 'role.changed'
  | 'sessions.ended'

interface AuditDetails {
  /** The user whom the event is about. */
  readonly user?: number
  /**
   * A name that no user has. It's recorded as an HMAC, because people also type passwords there.
   */
  readonly unknownName?: string
  readonly [detail: string]: unknown
}

/** Records an event. The request is missing if the event comes from a command. */
export type Audit = (
  event: AuditEvent,
  details: AuditDetails,
  request?: { readonly id: string; readonly ip: string },
) => void

/**
 * Writes one line of JSON per event, whatever the log level is.
 *
 * @param write gets each line, with its line break
 */
export function createAudit(write: (line: string) => void): Audit {
  const key = randomBytes(32)
  return (event, { unknownName, ...details }, request) => {
    const name = unknownName?.toLowerCase()
    const hashed = name && createHmac('sha256', key).update(name).digest('base64url')
    const origin = request && { network: networkOf(request.ip), reqId: request.id }
    write(
      `${JSON.stringify({ level: 30, time: Date.now(), audit: event, ...details, name: hashed, ...origin })}\n`,
    )
  }
}
