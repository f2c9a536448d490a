/** More clients than these are counted together, so that nobody can create time series at will. */
const maxClients = 50

/** Creates the function that names the client of a request by the product in its User-Agent: `acme-ios`. */
export function createClientName(): (userAgent: string | undefined) => string {
  const known = new Set<string>()
  return (userAgent) => {
    const name = /^[\w.-]{1,40}/.exec(userAgent ?? '')?.[0].toLowerCase() ?? 'unknown'
    if (known.size < maxClients) known.add(name)
    return known.has(name) ? name : 'other'
  }
}
