/** ` Did you mean 'users'?` for a name that resembles what was received, else an empty text. */
export function didYouMean(received: unknown, names: readonly unknown[]): string {
  if (typeof received !== 'string') return ''
  const [nearest] = names
    .map((name) => ({ name: String(name), edits: editsBetween(received, String(name)) }))
    .filter(({ name, edits }) => edits <= Math.max(1, name.length / 3))
    .toSorted((a, b) => a.edits - b.edits)
  return nearest === undefined ? '' : ` Did you mean '${nearest.name}'?`
}

/** Levenshtein's distance: how many letters to insert, remove or replace. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const letter of a) {
    const above = row
    row = [above[0]! + 1]
    for (const [index, other] of [...b].entries())
      row.push(Math.min(row[index]! + 1, above[index + 1]! + 1, above[index]! + (letter === other ? 0 : 1)))
  }
  return row.at(-1)!
}
