export const secret = 'server-only'
export type Controllers = { 1: { users: { index(): typeof secret } } }
