import type { Api, Row } from '@hv/router'

/** A row's controller inside its version: `users`, `admin/users`. */
export function controllerKeyOf(
  { options: { namespace = 'api' } }: Api,
  { controller, version }: Pick<Row, 'controller' | 'version'>,
): string {
  return controller.slice(`${namespace && `${namespace}/`}v${version}/`.length)
}
