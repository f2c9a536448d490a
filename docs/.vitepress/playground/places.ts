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
    const { version, where = '', ...names } = details as { version?: unknown; where?: unknown }
    const number = version ?? Number(/version(?:\(| )(\d+)/.exec(String(where))?.[1])
    const range = this.#versions.find((place) => place.version === number)
    const isInside = ({ line }: { line: number }) =>
      range === undefined || (line >= range.from && line <= range.to)
    for (const name of Object.values(names)) {
      const place =
        typeof name === 'string'
          ? this.#values.findLast((one) => one.value === name && isInside(one))
          : null
      if (place) return place.line
    }
    return range?.from
  }
}
