// vitest looks for this name by itself (editors, `npx vitest`); the content is in vitest.workspace.ts.
export { default } from './vitest.workspace.ts'
