// Repeats at run time what the types check: route files are also written in JavaScript.
import { type ActionName, pluralActions } from '../declare/actions.ts'
import { lifeOptions } from '../declare/life.ts'
import { type Node, type Version, isNode } from '../declare/nodes.ts'
import {
  type ApiOptions,
  type ResourcesOptions,
  type Selection,
  type VersionOptions,
  toList,
} from '../declare/options.ts'
import { isPreview } from '../declare/settings.ts'
import { RouterError, assertKnown, invalidOption } from '../errors.ts'
import { describe } from './declared-node.ts'
import { quoted } from '../wording.ts'

const sharedOptions = ['only', 'except', 'shallow', 'constraints']
const apiOptions = [
  'vendorString',
  'defaultVersion',
  'requireVersion',
  'path',
  'namespace',
  'formats',
  'strict',
]
const resourcesOptions = [
  ...sharedOptions,
  'path',
  'as',
  'controller',
  'param',
  'singular',
  'patch',
  ...lifeOptions,
]
const statements = ['cache', 'inherit', 'resources', 'resource', 'namespace', 'scope', 'verb']
const inner = ['resources', 'resource', 'namespace', 'scope', 'extra', 'verb']

/** By kind of node: its options, and the kinds of node that it may contain. */
const grammar: Record<
  string,
  { readonly options: readonly string[]; readonly allowed: readonly string[] }
> = {
  api: { options: [...sharedOptions, ...apiOptions, 'patch'], allowed: ['version'] },
  version: { options: [...sharedOptions, 'preview', ...lifeOptions], allowed: statements },
  namespace: { options: [...sharedOptions, 'path', 'as', ...lifeOptions], allowed: statements },
  // A scope may contain what the node around it may contain.
  scope: { options: [...sharedOptions, 'module', 'path', 'as', ...lifeOptions], allowed: [] },
  cache: { options: [], allowed: statements },
  inherit: { options: ['only', 'except', ...lifeOptions], allowed: [] },
  resources: { options: resourcesOptions, allowed: inner },
  resource: { options: resourcesOptions, allowed: inner },
  extra: { options: [], allowed: ['verb'] },
  verb: { options: ['to', 'as', 'constraints', ...lifeOptions], allowed: [] },
}

/** The helpers of the kinds that have several. */
const helpersOf: Record<string, readonly string[]> = {
  extra: ['member', 'collection'],
  verb: ['get', 'post', 'put', 'patch', 'del'],
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isWord = (value: unknown): boolean => isText(value) && /^\w+$/.test(value)
const isFolder = (value: unknown): boolean => isText(value) && value.split('/').every(isWord)
/** `format` is reserved for the extension; `__proto__` would not become a property. */
const isParamName = (value: unknown): boolean =>
  isText(value) && /^(?!(?:format|__proto__)$)[a-z_]\w*$/i.test(value)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isFormatName = (value: unknown): boolean => isText(value) && /^[a-z\d]+$/.test(value)
const isPair = (value: unknown): boolean => Array.isArray(value) && value.length === 2
// The characters of a URL (RFC 3986, section 2): no other could end the link in the header. A client may follow the link,
// so `javascript:` is none.
const link = /^(?:https?:|(?![a-z][a-z\d+.-]*:))[\w.~:/?#[\]@!$&'()*+,;=%-]+$/i

type Rule = readonly [expected: string, isValid: (value: unknown) => boolean]
const text: Rule = ['a string', isText]
const word: Rule = ['letters, digits and _', isWord]
const flag: Rule = ['a boolean', (value) => typeof value === 'boolean']

const rulesFor = (rule: Rule, ...options: string[]): Record<string, Rule> =>
  Object.fromEntries(options.map((option) => [option, rule]))

/** What the value of an option must be. Dates are checked when the life is read. */
const rules: Record<string, Rule> = {
  ...rulesFor(text, 'path', 'as', 'controller', 'to', 'namespace'),
  ...rulesFor(flag, 'shallow', 'preview', 'requireVersion', 'strict', 'patch'),
  singular: word,
  param: ['letters, digits and _, other than format', isParamName],
  module: ["a folder of letters, digits and _, such as 'admin'", isFolder],
  constraints: [
    'regular expressions by parameter like { id: /\\d+/ }',
    (value) =>
      isObject(value) && Object.values(value).every((one) => isText(one) || one instanceof RegExp),
  ],
  formats: [
    "'any', false or a list of extensions like ['json', 'xml']",
    (value) =>
      value === 'any' || value === false || (Array.isArray(value) && value.every(isFormatName)),
  ],
  docs: ['an http(s) or relative URL', (value) => isText(value) && link.test(value)],
  successor: ['a version number', Number.isSafeInteger],
  brownouts: [
    "a list of windows like [['2027-05-04T14:00Z', '2027-05-04T15:00Z']]",
    (value) => Array.isArray(value) && value.every(isPair),
  ],
  retire: ["'gone' or 'serve'", (value) => value === 'gone' || value === 'serve'],
}

/** Throws a `RouterError` for the first mistake that is visible without following caches. */
export function assertDeclaration(options: ApiOptions, versions: readonly Version[]): void {
  const { vendorString, defaultVersion } = options ?? {}
  if (!isText(vendorString) || !/^[a-z\d][\w!#$&^.-]{0,122}$/i.test(vendorString))
    throw new RouterError('HV_VENDOR_STRING', { received: vendorString })
  assertNode({ kind: 'api', name: 'api', options, nodes: versions }, 'api()')
  if (versions.length === 0) throw new RouterError('HV_NO_VERSION', {})
  const previews = new Set(versions.filter(isPreview).map(({ name }) => name))
  const known = versions.map(({ name }) => name).filter((version) => !previews.has(version))
  if (defaultVersion !== undefined && !known.includes(defaultVersion))
    throw new RouterError('HV_DEFAULT_VERSION', {
      option: 'defaultVersion',
      received: defaultVersion,
      known,
    })
  for (const { name: version } of versions)
    if (versions.every((node) => node.name !== version || isEmpty(node)))
      throw new RouterError('HV_EMPTY_VERSION', { version })
}

/** A version without nodes is a tombstone if it has a sunset. */
function isEmpty({ nodes, options }: Version): boolean {
  const { sunset, retire } = options as VersionOptions
  return nodes.length === 0 && (sunset === undefined || retire === 'serve')
}

function assertNode(
  { kind, name, options, nodes }: Node,
  where: string,
  outer: readonly string[] = [],
): void {
  const { options: known, allowed: own } = grammar[kind]!
  const allowed = kind === 'scope' ? outer : own
  assertName(kind, name, where)
  if (!isObject(options) || Array.isArray(options))
    throw invalidOption(where, 'options', 'an object', options)
  assertKnown(where, options, known)
  for (const [option, value] of Object.entries(options)) assertOption(kind, option, value, where)
  assertSelection(kind, options as Selection<unknown>, where)
  if (['resources', 'resource', 'namespace'].includes(kind))
    assertWords(name as string, options as ResourcesOptions, kind, where)
  for (const child of nodes) {
    if (!isNode(child) || !allowed.includes(child.kind))
      throw new RouterError('HV_NODE', {
        where,
        received: isNode(child) ? describe(child) : quoted(child),
        allowed: allowed.flatMap((childKind) => helpersOf[childKind] ?? [childKind]),
        reason:
          child === undefined || child === null || child === false
            ? 'nothing'
            : kind === 'api' && isNode(child)
              ? 'outside-version'
              : 'not-allowed',
      })
    assertNode(child, kind === 'api' ? describe(child) : `${describe(child)} in ${where}`, allowed)
  }
}

function assertName(kind: string, name: unknown, where: string): void {
  if (kind === 'version') {
    if (!Number.isSafeInteger(name) || (name as number) < 1)
      throw new RouterError('HV_VERSION_NUMBER', { received: name })
  } else if (kind === 'inherit') {
    const sources = toList(name)
    const isSource = (source: unknown): boolean =>
      isText(source) ? source !== '' : Number.isSafeInteger(source)
    if (sources.length === 0 || !sources.every(isSource)) {
      const expected = 'a version number, a cache name, or a list of these, like { from: 1 }'
      throw invalidOption(
        where,
        'from',
        expected,
        sources.find((source) => !isSource(source)),
      )
    }
  } else if (!isText(name) || (name === '' && kind !== 'verb' && kind !== 'scope')) {
    throw invalidOption(where, kind === 'cache' ? 'as' : 'the name', 'a non-empty string', name)
  } else if (kind !== 'cache') assertPath(name, where, kind === 'verb')
}

function assertOption(kind: string, option: string, value: unknown, where: string): void {
  const rule = kind === 'scope' && option === 'as' ? word : rules[option]
  if (value === undefined || rule === undefined) return
  const [expected, isValid] = rule
  if (!isValid(value)) throw invalidOption(where, option, expected, value)
  if (option === 'path') assertPath(value as string, where)
}

/** `only` and `except` name actions; those of `inherit` name nodes. */
function assertSelection(kind: string, { only, except }: Selection<unknown>, where: string): void {
  if (only !== undefined && except !== undefined)
    throw new RouterError('HV_ONLY_AND_EXCEPT', { where })
  const names = only === undefined ? except : only
  for (const name of names === undefined ? [] : toList(names)) {
    if (kind === 'inherit' && !isText(name))
      throw invalidOption(where, 'only and except', 'names', name)
    if (kind !== 'inherit' && !pluralActions.includes(name as ActionName))
      throw new RouterError('HV_UNKNOWN_ACTION', { where, action: name, known: pluralActions })
  }
}

/** Controller keys and route names follow from the name, unless options replace them. A path may contain other characters. */
function assertWords(name: string, options: ResourcesOptions, kind: string, where: string): void {
  const { as = name, controller = name } = options
  const folder = kind === 'namespace' ? name : controller
  if ((as === '' || isWord(as)) && isFolder(folder)) return
  const newName = name.replace(/^\W+(?=\w)/, '').replace(/\W+/g, '_')
  throw new RouterError('HV_NAME', {
    where,
    name: isWord(as) ? folder : as,
    instead: `${kind}('${newName}', { path: '${name}' })`,
  })
}

/** Accepts plain segments, parameters that are whole segments, and a glob as the last segment of a verb. */
function assertPath(path: string, where: string, mayEndInGlob = false): void {
  const segments = path.split('/').filter(Boolean)
  for (const [i, segment] of segments.entries()) {
    const isParam =
      segment.startsWith(':') ||
      (segment.startsWith('*') && mayEndInGlob && i === segments.length - 1)
    if (!(isParam ? isParamName(segment.slice(1)) : /^[\w$&',;=@~.-]+$/.test(segment)))
      throw new RouterError('HV_PATH', { where, segment })
  }
}
