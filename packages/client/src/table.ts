import type { Api } from '@hv/router'

/**
 * What a client needs to know of one version: plain data, so it can be a JSON file.
 *
 * @example const table: ClientTable<typeof routes> = json
 */
export interface ClientTable<Routes = Api> {
  readonly version: number
  /** The version's media type: `application/vnd.acme+json;version=2` */
  readonly accept: string
  /** By controller key and action: `{ users: { show: ['GET /api/users/:id'] } }` */
  readonly actions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** Carries the type of the route file. No value has it. */
  readonly '~routes'?: Routes
}

/**
 * Creates the table of a version. A client that is created from it doesn't need the route file, nor the core.
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
      'A client requires what api() returns, or a client table of it. Check for a circular import.',
    )
  const { vendorType, versions } = routes.settings
  const version = Number(options?.version)
  if (!versions.includes(version))
    throw new TypeError(
      `Version ${version} isn't declared. Declared versions: ${versions.join(', ')}.`,
    )
  const actions: Record<string, Record<string, string[]>> = Object.create(null)
  for (const { key, action, method, pattern } of routes.table.flatMap((one) =>
    one.version === version ? one.routes : [],
  )) {
    const ofController: Record<string, string[]> = (actions[key] ??= Object.create(null))
    ;(ofController[action] ??= []).push(`${method} ${pattern}`)
  }
  return { version, accept: `${vendorType}+json;version=${version}`, actions }
}
