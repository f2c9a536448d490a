import { StoreError } from '../store/database.ts'
import { explainFailure } from '../store/explain-failure.ts'

/**
 * Prints an error and exits with code 1. If it's a mistake that the operator can correct, one line
 * says how. Any other error is the service's fault, so it's printed with its stack.
 */
export function exitWithError(error: unknown): never {
  console.error(explain(error as Error & { code?: string; port?: number }))
  process.exit(1)
}

function explain(error: Error & { code?: string; port?: number }): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${error.port} is in use. Stop the process that uses it, or choose another port: PORT=${Number(error.port) + 1} npm start`
  if (error.code === 'EACCES' && error.port !== undefined)
    return `Port ${error.port} needs more rights. Choose a port above 1023: PORT=3000 npm start`
  if (error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL')
    return `The service can't listen: ${error.message}. Set HOST to an address of this machine.`
  if (error instanceof StoreError) return `The store can't be opened: ${explainFailure(error)}`
  return error.name === 'ConfigError' || error.name === 'RouterError'
    ? error.message
    : (error.stack ?? String(error))
}
