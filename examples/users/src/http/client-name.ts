/**
 * How many clients get their own name. There's a limit, so that nobody can create any number of
 * time series.
 */
const maxClients = 50
/** How many of the names may come from one user. */
const maxPerUser = 2

/**
 * Creates a function that names a request's client by the product in its User-Agent: `acme-ios`.
 */
export function createClientName(): (userAgent: string | undefined, user?: number) => string {
  const names = new Set<string>()
  const namesOfUsers = new Map<number, number>()
  return (userAgent, user) => {
    const name = productOf(userAgent)
    const given = user === undefined ? maxPerUser : (namesOfUsers.get(user) ?? 0)
    if (!names.has(name) && given < maxPerUser && names.size < maxClients) {
      names.add(name)
      namesOfUsers.set(user!, given + 1)
    }
    return names.has(name) ? name : 'other'
  }
}

export const productOf = (userAgent: string | undefined): string =>
  /^[\w.-]{1,40}/.exec(userAgent ?? '')?.[0].toLowerCase() ?? 'unknown'
