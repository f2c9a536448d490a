/** Joins the parts of a route name. Null when the result is not an identifier: Rails leaves those routes unnamed, too. */
export const routeName = (parts: readonly string[]): string | null => {
  const name = parts.filter(Boolean).join('_')
  return /^_?[a-z]\w*$/i.test(name) ? name : null
}

/** The part of a route name that follows from a path: `reports/daily` → `reports_daily`. */
export const namePart = (path: string): string => path.replace(/^\/+|\/+$/g, '').replace(/\/+|-/g, '_')
