import {
  type LifeOptions,
  api,
  collection,
  del,
  hrefs,
  inherit,
  member,
  post,
  resources,
  version,
} from '@hv/router'

/** Both versions have the same routes, but different controllers. */
export const routes = api(
  { vendorString: 'users', path: '', formats: ['json'] },
  version(
    1,
    lifeOfVersion1(),
    resources('users', { except: ['new', 'edit'] }, collection(post('login'))),
  ),
  version(
    2,
    inherit({ from: 1 }),
    resources('users', { only: [] }, member(del('sessions', { to: 'endSessions' }))),
  ),
)

/** The routes' URLs: `href.users.show({ id: 7 })`. */
export const href = hrefs(routes)

/**
 * Each deployment chooses when version 1 ends. Without dates, it doesn't. Browsers have no
 * environment, but clients there import this file too, which is why `process` may be missing.
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
