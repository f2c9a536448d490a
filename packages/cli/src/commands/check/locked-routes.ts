import type { Row } from '@hv/router'

/** A route without the names of its parameters, which no client sees, and without formats, which are a setting: `GET /users/:`. */
export const shapeOf = (route: string): string => route.replaceAll('(.:format)', '').replace(/([:*])\w+/g, '$1')

/** A route, or an operation of a document, as one text: `GET /users/:`. */
export const operationOf = (route: string): string => shapeOf(route.replace(/\{[^}]*\}/g, ':_')).replaceAll('*', ':')

/** The constraints of a route as the route file has them: `{ "id": "/\\d+/" }`. The router matches whole values. */
export const constraintsOf = ({ constraints }: Row): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(constraints).map(([param, { source, flags }]) => [
      param,
      `/${source.slice('^(?:'.length, -')$'.length)}/${flags}`,
    ]),
  )

/** The constraint that the parameter at the same position of the released route has. */
export function releasedConstraint(
  released: { readonly route: string; readonly constraints: Readonly<Record<string, string>> },
  route: string,
  param: string,
): string | undefined {
  const name = paramsOf(released.route)[paramsOf(route).indexOf(param)]
  return name !== undefined && Object.hasOwn(released.constraints, name) ? released.constraints[name] : undefined
}

const paramsOf = (route: string): readonly string[] => [...route.matchAll(/[:*](\w+)/g)].map(([, name]) => name!)
