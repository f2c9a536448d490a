import { api, get, inherit, member, post, resources, version } from '@hv/router'

export const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    resources('users', { only: ['create', 'update'] }),
    resources('endpoints', { only: ['create', 'destroy'] }, member(post('rotate'))),
    get('stream', { to: 'stream#open' }),
  ),
  version(2, inherit({ from: 1 })),
)
