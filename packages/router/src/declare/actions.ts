/**
 * The seven routes of `resources`, in Rails' order. `on: 'member'` means that the path includes the
 * id.
 */
export const actions = {
  index: { method: 'GET', on: 'collection', path: '' },
  create: { method: 'POST', on: 'collection', path: '' },
  new: { method: 'GET', on: 'collection', path: 'new' },
  edit: { method: 'GET', on: 'member', path: 'edit' },
  show: { method: 'GET', on: 'member', path: '' },
  update: { method: 'PUT', on: 'member', path: '' },
  destroy: { method: 'DELETE', on: 'member', path: '' },
} as const

/** The name of one of the seven actions of `resources`. */
export type ActionName = keyof typeof actions
/** The actions whose path doesn't include the id. */
export type CollectionAction = 'index' | 'create' | 'new'

/** The seven actions of `resources`, in the order of their routes. */
export const pluralActions: readonly ActionName[] = Object.keys(actions) as ActionName[]

/** The routes of `resource`, which has no index. Rails lists create last. */
export const singularActions: readonly ActionName[] = [
  'new',
  'edit',
  'show',
  'update',
  'destroy',
  'create',
]
