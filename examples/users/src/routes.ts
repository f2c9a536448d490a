import {
  type LifeOptions,
  api,
  cache,
  collection,
  hrefs,
  inherit,
  post,
  resources,
  version,
} from '@hv/router'

/** Both versions have the same routes. Their controllers differ. */
export const routes = api(
  { vendorString: 'users', path: '', formats: ['json'] },
  version(
    1,
    lifeOfVersion1(),
    cache({ as: 'v1' }, resources('users', { except: ['new', 'edit'] }, collection(post('login')))),
  ),
  version(2, inherit({ from: 'v1' })),
)

/** The URLs of the routes: `href.users.show({ id: 7 })`. */
export const href = hrefs(routes)

/**
 * Each deployment chooses when version 1 ends. Without dates it does not. Clients import this file too, and a browser has no
 * environment.
 */
function lifeOfVersion1(): LifeOptions {
  const { V1_DEPRECATED: deprecated, V1_SUNSET: sunset } = globalThis.process?.env ?? {}
  if (!deprecated && !sunset) return {}
  return {
    ...(deprecated && { deprecated }),
    ...(sunset && { sunset }),
    docs: '/docs',
    successor: 2,
  }
}
