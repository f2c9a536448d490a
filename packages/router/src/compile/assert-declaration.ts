// Checks at run time what the types check as well, because route files can also be JavaScript.
import { isObject } from '../objects.ts'
import { type ActionName, pluralActions } from '../declare/actions.ts'
import type { LifeOptions } from '../declare/life.ts'
import { type Node, type Version, isNode } from '../declare/nodes.ts'
import {
  type ApiOptions,
  type NamespaceOptions,
  type ResourcesOptions,
  type ScopeOptions,
  type Selection,
  type SharedOptions,
  type VerbOptions,
  type VersionOptions,
  toList,
} from '../declare/options.ts'
import { RouterError, assertKnown, invalidOption } from '../errors.ts'
import { describe } from './node.ts'
import { quoted } from '../wording.ts'

/** The helpers of the kinds that have several. */
const helpersOf: Record<string, readonly string[]> = {
  extra: ['member', 'collection'],
  verb: ['get', 'post', 'put', 'patch', 'del'],
}

const isText = (value: unknown): value is string => typeof value === 'string'
const matches =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    isText(value) && pattern.test(value)
const isVendor = matches(/^[a-z\d][\w!#$&^.-]{0,122}$/i)
const isWord = matches(/^\w+$/)
const isFolder = matches(/^\w+(?:\/\w+)*$/)
/** `format` is reserved for the extension, and `__proto__` wouldn't become a property. */
const isParamName = matches(/^(?!(?:format|__proto__)$)[a-z_]\w*$/i)
const isPlainSegment = matches(/^[\w$&',;=@~.-]+$/)
const isFormatName = matches(/^[a-z\d]+$/)
// Only the characters of a URL (RFC 3986, section 2), because others could end the link in the
// header. `javascript:` isn't allowed, because a client may follow the link.
const isLink = matches(/^(?:https?:|(?![a-z][a-z\d+.-]*:))[\w.~:/?#[\]@!$&'()*+,;=%-]+$/i)

type Rule = readonly [expected: string, isValid: (value: unknown) => boolean]
/** What each option's value has to be. `null` if it's checked elsewhere. */
type RulesOf<Options> = { readonly [Option in keyof Required<Options>]: Rule | null }

const text: Rule = ['a string', isText]
const word: Rule = ['letters, digits and _', isWord]
const flag: Rule = ['a boolean', (value) => typeof value === 'boolean']
const constraints: Rule = [
  'regular expressions by parameter like { id: /\\d+/ }',
  (value) =>
    isObject(value) &&
    !(value instanceof RegExp) &&
    Object.values(value).every((source) => isText(source) || source instanceof RegExp),
]

const selectionRules: RulesOf<Selection<unknown>> = { only: null, except: null }
const sharedRules: RulesOf<SharedOptions> = { ...selectionRules, shallow: flag, constraints }
/** Dates are checked when they're read. */
const lifeRules: RulesOf<LifeOptions> = {
  deprecated: null,
  sunset: null,
  docs: ['an http(s) or relative URL', isLink],
  successor: ['a version number', Number.isSafeInteger],
  brownouts: [
    "a list of windows like [['2027-05-04T14:00Z', '2027-05-04T15:00Z']]",
    (value) =>
      Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2),
  ],
  retire: ["'gone' or 'serve'", (value) => value === 'gone' || value === 'serve'],
}
const apiRules: RulesOf<ApiOptions> = {
  ...sharedRules,
  vendorString: null,
  defaultVersion: null,
  requireVersion: flag,
  path: text,
  namespace: text,
  formats: [
    "'any', false or a list of extensions like ['json', 'xml']",
    (value) =>
      value === 'any' || value === false || (Array.isArray(value) && value.every(isFormatName)),
  ],
  strict: flag,
  patch: flag,
}
const versionRules: RulesOf<VersionOptions> = { ...sharedRules, preview: flag, ...lifeRules }
const namespaceRules: RulesOf<NamespaceOptions> = {
  ...sharedRules,
  path: text,
  as: text,
  ...lifeRules,
}
const scopeRules: RulesOf<ScopeOptions> = {
  ...sharedRules,
  module: ["a folder of letters, digits and _, such as 'admin'", isFolder],
  path: text,
  as: word,
  ...lifeRules,
}
const resourcesRules: RulesOf<ResourcesOptions> = {
  ...sharedRules,
  path: text,
  as: text,
  controller: text,
  param: ['letters, digits and _, other than format', isParamName],
  singular: word,
  patch: flag,
  ...lifeRules,
}
const verbRules: RulesOf<VerbOptions> = { to: text, as: text, constraints, ...lifeRules }

interface Grammar {
  readonly options: Readonly<Record<string, Rule | null>>
  /** The kinds of node that it can contain. A scope can contain what the node around it can. */
  readonly allowed?: readonly string[]
}
const statements = ['cache', 'inherit', 'resources', 'resource', 'namespace', 'scope', 'verb']
const inner = ['resources', 'resource', 'namespace', 'scope', 'extra', 'verb']
/** By kind of node. */
const grammar: Readonly<Record<string, Grammar>> = {
  api: { options: apiRules, allowed: ['version'] },
  version: { options: versionRules, allowed: statements },
  namespace: { options: namespaceRules, allowed: statements },
  scope: { options: scopeRules },
  cache: { options: {}, allowed: statements },
  inherit: { options: { ...selectionRules, ...lifeRules }, allowed: [] },
  resources: { options: resourcesRules, allowed: inner },
  resource: { options: resourcesRules, allowed: inner },
  extra: { options: {}, allowed: ['verb'] },
  verb: { options: verbRules, allowed: [] },
}

/** @throws RouterError for the first mistake that shows without following any `inherit` */
export function assertDeclaration(options: ApiOptions, versions: readonly Version[]): void {
  const { vendorString } = options ?? {}
  if (!isVendor(vendorString)) throw new RouterError('HV_VENDOR_STRING', { received: vendorString })
  assertNode({ kind: 'api', name: 'api', options, nodes: versions }, 'api()')
  if (versions.length === 0) throw new RouterError('HV_NO_VERSION', {})
  for (const { name: version } of versions)
    if (versions.every((node) => node.name !== version || isEmpty(node)))
      throw new RouterError('HV_EMPTY_VERSION', { version })
}

/** A version without nodes is a tombstone if it has a sunset. */
function isEmpty({ nodes, options }: Version): boolean {
  const { sunset, retire } = options as VersionOptions
  return nodes.length === 0 && (sunset === undefined || retire === 'serve')
}

/** @param outer - the kinds of node that the surrounding node can contain */
function assertNode(
  { kind, name, options, nodes }: Node,
  where: string,
  outer: readonly string[] = [],
): void {
  const { options: rules, allowed = outer } = grammar[kind]!
  assertName(kind, name, where)
  if (!isObject(options)) {
    const expected = kind === 'verb' ? "an object like { to: 'users#index' }" : 'an object'
    throw invalidOption(where, 'options', expected, options)
  }
  assertKnown(where, options, Object.keys(rules))
  for (const [option, value] of Object.entries(options))
    assertOption(rules[option]!, option, value, where)
  assertSelection(kind, options as Selection<unknown>, where)
  if (['resources', 'resource', 'namespace'].includes(kind))
    assertWords(name as string, options as ResourcesOptions, kind, where)
  for (const child of nodes) {
    if (!isNode(child) || !allowed.includes(child.kind)) throw nodeError(where, child, allowed)
    assertNode(child, kind === 'api' ? describe(child) : `${describe(child)} in ${where}`, allowed)
  }
}

function nodeError(where: string, child: unknown, kinds: readonly string[]): RouterError {
  const allowed = kinds.flatMap((kind) => helpersOf[kind] ?? kind)
  const received = isNode(child) ? describe(child) : quoted(child)
  const reason = child === undefined || child === null ? 'nothing' : 'not-allowed'
  return new RouterError('HV_NODE', { where, received, allowed, reason })
}

function assertName(kind: string, name: unknown, where: string): void {
  if (kind === 'version') {
    if (!Number.isSafeInteger(name) || (name as number) < 1)
      throw new RouterError('HV_VERSION_NUMBER', { received: name })
  } else if (kind === 'inherit') {
    const sources = toList(name)
    const isSource = (source: unknown) =>
      isText(source) ? source !== '' : Number.isSafeInteger(source)
    if (sources.length === 0 || !sources.every(isSource)) {
      const expected = 'a version number, a cache name, or a list of these, like { from: 1 }'
      const wrong = sources.length === 0 ? sources : sources.find((source) => !isSource(source))
      throw invalidOption(where, 'from', expected, wrong)
    }
  } else if (!isText(name) || (name === '' && kind !== 'verb' && kind !== 'scope')) {
    throw invalidOption(where, kind === 'cache' ? 'as' : 'the name', 'a non-empty string', name)
  } else if (kind !== 'cache') assertPath(name, where, kind === 'verb')
}

function assertOption(rule: Rule | null, option: string, value: unknown, where: string): void {
  if (value === undefined || rule === null) return
  const [expected, isValid] = rule
  if (!isValid(value)) throw invalidOption(where, option, expected, value)
  if (option === 'path') assertPath(value as string, where)
}

/** `only` and `except` name actions, except in `inherit`, where they name nodes. */
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

/**
 * Controllers and routes are named after the node, unless its options say otherwise. Paths can
 * contain more characters than these names.
 */
function assertWords(name: string, options: ResourcesOptions, kind: string, where: string): void {
  const { as = name, controller = name } = options
  const folder = kind === 'namespace' ? name : controller
  const isValidAs = as === '' || isWord(as)
  if (isValidAs && isFolder(folder)) return
  const wrong = isValidAs ? folder : as
  const fixed = wrong.replace(/^\W+(?=\w)/, '').replace(/[^\w/]+/g, '_')
  const fixedName = fixed.replaceAll('/', '_')
  const option = wrong === as ? `as: '${fixedName}'` : `controller: '${fixed}'`
  const path = name === `/${fixedName}` ? '' : `, { path: '${name}' }`
  throw new RouterError('HV_NAME', {
    where,
    name: wrong,
    instead:
      wrong === name ? `${kind}('${fixedName}'${path})` : `${kind}('${name}', { ${option} })`,
  })
}

/**
 * Accepts plain segments, parameters that are whole segments, and, in a verb, a glob as the last
 * segment.
 */
function assertPath(path: string, where: string, mayEndInGlob = false): void {
  const segments = path.split('/').filter(Boolean)
  for (const [i, segment] of segments.entries()) {
    const isParam =
      segment.startsWith(':') ||
      (segment.startsWith('*') && mayEndInGlob && i === segments.length - 1)
    if (!(isParam ? isParamName(segment.slice(1)) : isPlainSegment(segment)))
      throw new RouterError('HV_PATH', { where, segment })
  }
}
