// Prints what is said wrongly of each style, and of how many something is not checked. Run in a process of its own: Node loads them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { api, get, version } from '@hv/router'
import { bindActions } from '@hv/router/internal'
import { loadControllers } from '@hv/router/controllers'
import { findControllers, readControllers } from '../../src/controllers/controllers.ts'
import { commonJs, helpers, modules } from './styles.ts'

const ignored = { write: () => true }
const wrong: string[] = []
let notChecked = 0
const styles = [
  ...modules.map((code) => ({ code, extension: 'ts' })),
  ...commonJs.map((code) => ({ code, extension: 'cjs' })),
]
for (const [i, { code, extension }] of styles.entries()) {
  const cwd = join(process.argv[2]!, String(i))
  const folder = join(cwd, 'controllers/api/v1')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(helpers)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, `users_controller.${extension}`), code)
  const controllers = readControllers(
    findControllers({ cwd, out: ignored, err: ignored }, undefined)!,
  )
  const kinds = new Set<string>()
  for (const action of ['index', 'show', 'create', 'list']) {
    const { kind } = controllers.find(1, 'users', action)
    kinds.add(kind)
    if (kind === (await isBound(join(cwd, 'controllers'), action)))
      wrong.push(`${action} is ${kind}: ${code}`)
  }
  if (kinds.has('unseen')) notChecked++
}
console.log(JSON.stringify({ wrong, notChecked, all: styles.length }))

/** The verdict that would be wrong. None when the file itself throws. */
async function isBound(folder: string, action: string): Promise<string> {
  const routes = api({ vendorString: 'acme' }, version(1, get('it', { to: `users#${action}` })))
  try {
    bindActions(routes, await loadControllers(routes, folder))
    return 'missing'
  } catch (error) {
    return String((error as { code?: unknown }).code).startsWith('HV_MISSING') ? 'found' : 'none'
  }
}
