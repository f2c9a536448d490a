import { api, inherit, resources, version } from '@hv/router'

export const routes = api(
  { vendorString: 'acme' },
  version(
    1,
    { deprecated: '2026-01-01', sunset: '2099-01-01', successor: 2 },
    resources('users', { only: ['index', 'show', 'create', 'destroy'] }),
  ),
  version(2, inherit({ from: 1 })),
)
