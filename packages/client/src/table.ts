import type { Api } from '@hv/router'

/**
 * What a client needs to know about one version. It's plain data, so it can be a JSON file.
 *
 * @example const table: ClientTable<typeof routes> = json
 */
export interface ClientTable<Routes = Api> {
  readonly version: number
  /** The version's media type: `application/vnd.acme+json;version=2` */
  readonly accept: string
  /** By controller key and action: `{ users: { show: ['GET /api/users/:id'] } }` */
  readonly actions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** Only carries the route file's type. No value has this property. */
  readonly '~routes'?: Routes
}

/**
 * Creates a version's table. A client that's created from it needs neither the route file nor the
 * core.
 *
 * @throws TypeError for a version that isn't declared
 * @example JSON.stringify(clientTable(routes, { version: 2 }))
 */
export function clientTable<Table>(
  routes: Api<Table>,
  options: { readonly version: keyof Table },
): ClientTable<Api<Table>> {
  if (!Array.isArray(routes?.table))
    throw new TypeError(
      "The routes aren't what api() or clientTable() returns. Is there a circular import?",
    )
  const { vendorType, versions } = routes.settings
  const version = Number(options?.version)
  if (!versions.includes(version))
    throw new TypeError(
      `Version ${version} isn't declared. Declared versions: ${versions.join(', ')}.`,
    )
  const actions: Record<string, Record<string, string[]>> = Object.create(null)
  const declared = routes.table.find((entry) => entry.version === version)
  for (const { key, action, method, pattern } of declared!.routes) {
    const ofController: Record<string, string[]> = (actions[key] ??= Object.create(null))
    const endpoints = (ofController[action] ??= [])
    endpoints.push(`${method} ${pattern}`)
  }
  return { version, accept: `${vendorType}+json;version=${version}`, actions }
}
