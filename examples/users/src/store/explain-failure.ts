import type { StoreError } from './database.ts'
import { classOf } from './mysql-errors.ts'

interface Cause {
  readonly errno?: number
  readonly code?: string
  readonly message: string
}

const isAboutTls = ({ code = '', message }: Cause): boolean =>
  /insecure transport|secure connection|certificate|SSL|TLS/i.test(`${code} ${message}`)

/** Whether the server refuses the account, which doesn't go away by itself. */
export const isLoginRefusal = (cause: unknown): boolean =>
  classOf(cause) === 'account' || isAboutTls(cause as Cause)

/** Tells the operator why the store can't be opened, and which settings to check. */
export function explainFailure({ cause }: StoreError): string {
  const reason = (cause as Cause).message.replace(/\.+$/, '')
  return `${reason}. ${adviceFor(cause as Cause)}`
}

function adviceFor(cause: Cause): string {
  if (isAboutTls(cause)) return 'Check DATABASE_TLS and DATABASE_CA.'
  // An account that requires TLS is refused with the same words as one with a wrong password.
  if (cause.errno === 1045)
    return 'Check DATABASE_URL. If the account requires TLS, set DATABASE_TLS=verified and DATABASE_CA.'
  return 'Check DATABASE_FILE or DATABASE_URL.'
}
