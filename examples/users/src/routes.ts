import { api, cache, collection, hrefs, inherit, post, resources, version } from '@hv/router'

export const routes = api(
  { vendorString: 'users', path: '', formats: ['json'] },
  version(1, cache({ as: 'v1' }, resources('users', { except: ['new', 'edit'] }, collection(post('login'))))),
  version(2, inherit({ from: 'v1' })), // the same routes, with its own controller
)

export const href = hrefs(routes)
