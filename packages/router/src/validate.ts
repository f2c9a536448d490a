// What the types refuse, refused at run time too: route files are also written in JavaScript.
import { type Action, pluralActions } from './actions.ts'
import type { ApiOptions } from './api.ts'
import { type Node, type Version, isNode, many } from './dsl.ts'
import { type RouterErrorCode, RouterError, listed } from './errors.ts'

const scopeOptions = 'only except shallow constraints'
const resourcesOptions = `${scopeOptions} path as controller param singular patch`
const statements = 'cache inherit resources resource namespace verb'
const blocks = 'resources resource namespace extra'

/** Per kind of node: the options it takes, and the kinds that may stand in it. */
const grammar: Record<string, readonly [options: string, inside: string]> = {
  api: [`${scopeOptions} vendorString defaultVersion path namespace formats strict patch`, 'version'],
  version: [scopeOptions, statements],
  namespace: [`${scopeOptions} path as`, statements],
  cache: ['', statements],
  inherit: ['only except', ''],
  resources: [resourcesOptions, blocks],
  resource: [resourcesOptions, blocks],
  extra: ['', 'verb'],
  verb: ['to as constraints', ''],
}
const strings = wordsOf('path namespace as controller param singular to')
const booleans = wordsOf('shallow patch strict')

/** Throws a `RouterError` for the first mistake that can be seen without following caches. */
export function validate(options: ApiOptions, versions: readonly Version[]): void {
  const { vendorString, defaultVersion, formats } = options ?? {}
  if (typeof vendorString !== 'string' || !/^[a-z\d][\w!#$&^.-]{0,122}$/i.test(vendorString))
    fail(
      'HV_VENDOR_STRING',
      `api() needs a vendorString, the part after 'application/vnd.', e.g. { vendorString: 'acme' }. ` +
        `It has: ${quoted(vendorString)}.`,
    )
  validateNode({ kind: 'api', name: 'api', options, nodes: versions }, 'api()')
  if (formats !== undefined && formats !== false && !(Array.isArray(formats) && formats.every(isFormat)))
    fail(
      'HV_OPTION',
      `api() takes formats: false, or a list of extensions like ['json', 'xml']. It has: ${quoted(formats)}.`,
    )
  if (versions.length === 0) fail('HV_NO_VERSION', 'api() declares no version. Add e.g. version(1, resources(...)).')
  const numbers = versions.map(({ name }) => name)
  if (defaultVersion !== undefined && !numbers.includes(defaultVersion))
    fail(
      'HV_DEFAULT_VERSION',
      `defaultVersion is ${quoted(defaultVersion)}, but the declared versions are: ${listed(numbers)}. ` +
        'Choose one of them, or leave it out for the first.',
    )
}

function validateNode({ kind, name, options, nodes }: Node, place: string): void {
  const [known, inside] = grammar[kind]!.map(wordsOf) as [readonly string[], readonly string[]]
  validateName(kind, name, place)
  validateOptions(options, known, place)
  for (const child of nodes) {
    if (!isNode(child) || !inside.includes(child.kind))
      fail(
        'HV_NODE',
        `${place} cannot hold ${isNode(child) ? describe(child) : quoted(child)}. ` +
          `It takes: ${listed(inside).replace('extra', 'member, collection').replace('verb', 'get, post, put, patch, del')}.`,
      )
    validateNode(child, kind === 'api' ? describe(child) : `${describe(child)} in ${place}`)
  }
}

function validateName(kind: string, name: unknown, place: string): void {
  if (kind === 'version') {
    if (!Number.isSafeInteger(name) || (name as number) < 1)
      fail(
        'HV_VERSION_NUMBER',
        `version(${quoted(name)}) is no version number. Versions are whole numbers from 1: version(1, ...).`,
      )
  } else if (kind === 'inherit') {
    const names = many(name)
    if (names.length === 0 || !names.every((one) => typeof one === 'string' && one !== ''))
      fail('HV_OPTION', `${place} needs from: the name of a cache or a list of names, e.g. { from: 'v1' }.`)
  } else if (typeof name !== 'string' || (name === '' && kind !== 'verb'))
    fail(
      'HV_NODE',
      `${place} needs a name: ${kind === 'cache' ? "cache({ as: 'v1' }, ...)" : 'a text that is not empty'}.`,
    )
  else if (kind !== 'cache') validatePath(name, place)
}

function validateOptions(options: unknown, known: readonly string[], place: string): void {
  if (typeof options !== 'object' || options === null)
    fail('HV_OPTION', `${place} takes its options as an object. It has: ${quoted(options)}.`)
  const given = options as Record<string, unknown>
  for (const [key, value] of Object.entries(given)) {
    if (!known.includes(key)) fail('HV_OPTION', `${place} has no option '${key}'. Its options: ${listed(known)}.`)
    const type = strings.includes(key) ? 'string' : booleans.includes(key) ? 'boolean' : undefined
    if (value !== undefined && type !== undefined && typeof value !== type)
      fail('HV_OPTION', `${place} takes ${key} as a ${type}. It has: ${quoted(value)}.`)
    if (key === 'path' && value !== undefined) validatePath(value as string, place)
    if (key === 'param' && !isParamName(value as string))
      fail(
        'HV_OPTION',
        `${place} has param ${quoted(value)}. A param is a word other than format: letters, digits and _.`,
      )
  }
  const { constraints = {} } = given
  if (typeof constraints !== 'object' || constraints === null || !Object.values(constraints as object).every(isPattern))
    fail(
      'HV_OPTION',
      `${place} takes constraints as patterns by param, e.g. { id: /\\d+/ }. It has: ${quoted(constraints)}.`,
    )
  if (given['only'] !== undefined && given['except'] !== undefined)
    fail('HV_ONLY_AND_EXCEPT', `${place} has both only and except. Keep one of them.`)
  if (known.includes('shallow'))
    for (const action of [...many(given['only'] ?? []), ...many(given['except'] ?? [])])
      if (!pluralActions.includes(action as Action))
        fail(
          'HV_UNKNOWN_ACTION',
          `${place} selects ${quoted(action)}. The actions are: ${listed(pluralActions)}. ` +
            'Others are added with member or collection.',
        )
}

/** Words and whole-segment params: what every framework and the matcher read alike. */
function validatePath(path: string, place: string): void {
  for (const segment of path.split('/'))
    if (
      segment !== '' &&
      !(segment.startsWith(':') ? isParamName(segment.slice(1)) : /^[\w$&',;=@~.-]+$/.test(segment))
    )
      fail(
        'HV_PATH',
        `${place} has the path segment ${quoted(segment)}. A segment is plain text, or one param like :name.`,
      )
}

/** `format` is the extension's own name, and `__proto__` would be lost in an object. */
const isParamName = (name: string): boolean => /^(?!(?:format|__proto__)$)[a-z_]\w*$/i.test(name)
const isPattern = (value: unknown): boolean => typeof value === 'string' || value instanceof RegExp
const isFormat = (value: unknown): boolean => typeof value === 'string' && /^[a-z\d]+$/.test(value)
function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter(Boolean)
}
const describe = ({ kind, name }: Node): string =>
  kind === 'version'
    ? `version(${String(name)})`
    : kind === 'extra'
      ? `${String(name)}()`
      : `${kind === 'verb' ? 'route ' : `${kind} `}${quoted(name)}`
const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value)

function fail(code: RouterErrorCode, text: string): never {
  throw new RouterError(code, text)
}
