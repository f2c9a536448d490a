/** Where the values of a route file stand, so that a mistake that names one can be marked. */
export class Places {
  readonly #values: { readonly value: unknown; readonly line: number }[] = []
  readonly #versions: { readonly version: unknown; readonly from: number; readonly to: number }[] =
    []

  add(value: unknown, line: number): void {
    this.#values.push({ value, line })
  }

  addVersion(version: unknown, from: number, to: number): void {
    this.#versions.push({ version, from, to })
  }

  /** The line of what the details of an error name: a value in the version, else the version. */
  find(details: object): number | undefined {
    const {
      version,
      inheritedBy,
      where = '',
      ...others
    } = details as Readonly<{
      version?: unknown
      inheritedBy?: unknown
      where?: unknown
    }>
    const number = inheritedBy ?? version ?? Number(/version(?:\(| )(\d+)/.exec(String(where))?.[1])
    const range = this.#versions.find((place) => place.version === number)
    const isInside = (line: number) =>
      range === undefined || (line >= range.from && line <= range.to)
    // A version that inherits from another one names that one's number.
    const names = Object.values(others).filter((value) => typeof value === 'string')
    for (const name of inheritedBy === undefined ? names : [version]) {
      const place = this.#values.findLast(({ value, line }) => value === name && isInside(line))
      if (place) return place.line
    }
    return range?.from
  }
}
