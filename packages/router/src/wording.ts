// Parts of error messages.

/** `a, b, c`, or `none`. A long list is cut, because a route table can have hundreds of names. */
export function listed(items: Iterable<unknown>): string {
  const all = [...new Set(items)]
  return all.length > 20
    ? `${all.slice(0, 19).join(', ')} and ${all.length - 19} more`
    : all.join(', ') || 'none'
}

/** Returns a value as an error message shows it, cut after 200 characters. It never throws. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') return `'${cut(value)}'`
  if (value === undefined || typeof value === 'number' || typeof value === 'bigint')
    return String(value) // JSON has no NaN
  try {
    if (value instanceof Promise) return 'a promise'
    return cut(value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? typeof value))
  } catch {
    return 'an object' // with a cycle
  }
}

const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text)

/** `2027-07-01` for midnight UTC. */
export const shortDate = (date: string): string => date.replace('T00:00:00Z', '')

/** Why a version can't be the successor that another version names. */
export const successorProblems = {
  itself: 'which is itself',
  undeclared: "which isn't declared",
  'retired-first': 'which is retired first',
  'leads-back': 'whose own successors lead back to it',
}

/** ` Did you mean 'users'?` if a name resembles what was received, and an empty text otherwise. */
export function didYouMean(received: unknown, names: readonly string[]): string {
  if (typeof received !== 'string') return ''
  const nearest = nearestOf(received, names)
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`
}

/** Returns the name that takes the fewest edits, at most three. Undefined if none is that close. */
export function nearestOf(received: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((name) => ({ name, edits: editsBetween(received, name) }))
    .filter(({ name, edits }) => edits <= Math.min(3, name.length >> 1))
    .toSorted((a, b) => a.edits - b.edits)
  return nearest?.name
}

/** Levenshtein's distance: how many letters to insert, remove or replace. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const letter of a) {
    const above = row
    row = [above[0]! + 1]
    for (const [index, other] of [...b].entries())
      row.push(
        Math.min(
          row[index]! + 1,
          above[index + 1]! + 1,
          above[index]! + (letter === other ? 0 : 1),
        ),
      )
  }
  return row.at(-1)!
}
