// Repeats at run time what the types check: route files are also written in JavaScript.
import { type ActionName, pluralActions } from '../declare/actions.ts'
import { lifeOptions } from '../declare/life.ts'
import { type Node, type Version, isNode } from '../declare/nodes.ts'
import { type ApiOptions, type ResourcesOptions, type VersionOptions, toList } from '../declare/options.ts'
import { isPreview } from '../declare/settings.ts'
import { RouterError, assertKnown, invalidOption } from '../errors.ts'
import { describe } from './declared-node.ts'
import { quoted } from '../wording.ts'

const sharedOptions = ['only', 'except', 'shallow', 'constraints']
const apiOptions = ['vendorString', 'defaultVersion', 'requireVersion', 'path', 'namespace', 'formats', 'strict']
const resourcesOptions = [...sharedOptions, 'path', 'as', 'controller', 'param', 'singular', 'patch', ...lifeOptions]
const statements = ['cache', 'inherit', 'resources', 'resource', 'namespace', 'scope', 'verb']
const inner = ['resources', 'resource', 'namespace', 'scope', 'extra', 'verb']

/** By kind of node: its options, and the kinds of node that it may contain. */
const grammar: Record<string, { readonly options: readonly string[]; readonly allowed: readonly string[] }> = {
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

const texts = new Set(['path', 'as', 'controller', 'param', 'singular', 'module', 'to', 'namespace'])
const flags = new Set(['shallow', 'preview', 'requireVersion', 'strict', 'patch'])

/** Throws a `RouterError` for the first mistake that is visible without following caches. */
export function assertDeclaration(options: ApiOptions, versions: readonly Version[]): void {
  const { vendorString, defaultVersion, formats } = options ?? {}
  if (typeof vendorString !== 'string' || !/^[a-z\d][\w!#$&^.-]{0,122}$/i.test(vendorString))
    throw new RouterError('HV_VENDOR_STRING', { received: vendorString })
  assertNode({ kind: 'api', name: 'api', options, nodes: versions }, 'api()')
  if (![undefined, false, 'any'].includes(formats as 'any') && !(Array.isArray(formats) && formats.every(isFormatName)))
    throw invalidOption('api()', 'formats', "'any', false or a list of extensions like ['json', 'xml']", formats)
  if (versions.length === 0) throw new RouterError('HV_NO_VERSION', {})
  assertVersions(defaultVersion, versions)
}

function assertVersions(defaultVersion: ApiOptions['defaultVersion'], versions: readonly Version[]): void {
  const previews = new Set(versions.filter(isPreview).map(({ name }) => name))
  const declared = versions.map(({ name }) => name)
  const known = declared.filter((version) => !previews.has(version))
  if (defaultVersion !== undefined && defaultVersion !== 'oldest' && !known.includes(defaultVersion)) {
    const preview = previews.has(defaultVersion)
    throw new RouterError('HV_DEFAULT_VERSION', {
      option: 'defaultVersion',
      received: defaultVersion,
      known,
      ...(preview && { preview }),
    })
  }
  for (const version of declared) {
    const parts = versions.filter(({ name }) => name === version)
    const isTombstone = ({ sunset, retire }: VersionOptions) => sunset !== undefined && retire !== 'serve'
    if (!parts.some(({ nodes, options }) => nodes.length > 0 || isTombstone(options as VersionOptions)))
      throw new RouterError('HV_EMPTY_VERSION', { version })
  }
}

function assertNode({ kind, name, options, nodes }: Node, where: string, outer: readonly string[] = []): void {
  const { options: known, allowed: own } = grammar[kind]!
  const allowed = kind === 'scope' ? outer : own
  assertName(kind, name, where)
  assertNodeOptions(options, known, where)
  if (known.includes('sunset')) assertLifeOptions(options as VersionOptions, where)
  if (kind === 'resources' || kind === 'resource' || kind === 'namespace')
    assertWords(name as string, options as ResourcesOptions, kind, where)
  for (const child of nodes) {
    if (!isNode(child) || !allowed.includes(child.kind))
      throw new RouterError('HV_NODE', {
        where,
        received: isNode(child) ? describe(child) : quoted(child),
        allowed: allowed.flatMap((one) => helpersOf[one] ?? [one]),
      })
    assertNode(child, kind === 'api' ? describe(child) : `${describe(child)} in ${where}`, allowed)
  }
}

function assertName(kind: string, name: unknown, where: string): void {
  if (kind === 'version') {
    if (!Number.isSafeInteger(name) || (name as number) < 1)
      throw new RouterError('HV_VERSION_NUMBER', { received: name })
  } else if (kind === 'inherit') {
    const names = toList(name)
    if (names.length === 0 || !names.every((one) => typeof one === 'string' && one !== ''))
      throw invalidOption(where, 'from', "a cache name or a list of cache names like { from: 'v1' }", names[0])
  } else if (typeof name !== 'string' || (name === '' && kind !== 'verb' && kind !== 'scope')) {
    throw new RouterError('HV_NODE', {
      where,
      expected: kind === 'cache' ? "cache({ as: 'v1' }, ...)" : 'a non-empty string',
    })
  } else if (kind !== 'cache') assertPath(name, where, kind === 'verb')
}

/** Controller keys and route names follow from the name, unless options replace them. A path may contain other characters. */
function assertWords(name: string, options: ResourcesOptions, kind: string, where: string): void {
  const { as = name, controller = name } = options
  const folder = kind === 'namespace' ? name : controller
  if ((as === '' || isWord(as)) && folder.split('/').every(isWord)) return
  const word = name.replace(/^\W+(?=\w)/, '').replace(/\W+/g, '_')
  throw new RouterError('HV_NAME', {
    where,
    name: isWord(as) ? folder : as,
    instead: `${kind}('${word}', { path: '${name}' })`,
  })
}
const isWord = (text: string): boolean => /^\w+$/.test(text)

function assertNodeOptions(options: unknown, known: readonly string[], where: string): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw invalidOption(where, 'options', 'an object', options)
  assertKnown(where, options, known)
  for (const [option, value] of Object.entries(options)) if (value !== undefined) assertOption(option, value, where)
  const { only, except, constraints = {} } = options as Readonly<Record<string, unknown>>
  if (typeof constraints !== 'object' || constraints === null || !Object.values(constraints).every(isConstraint))
    throw invalidOption(where, 'constraints', 'regular expressions by parameter like { id: /\\d+/ }', constraints)
  if (only !== undefined && except !== undefined) throw new RouterError('HV_ONLY_AND_EXCEPT', { where })
  const isInherit = !known.includes('shallow') // its only and except name nodes
  const names = only === undefined ? except : only
  for (const name of names === undefined ? [] : toList(names)) {
    if (isInherit && typeof name !== 'string') throw invalidOption(where, 'only and except', 'names', name)
    if (!isInherit && !pluralActions.includes(name as ActionName))
      throw new RouterError('HV_UNKNOWN_ACTION', { where, action: name, known: pluralActions })
  }
}

/** The dates are checked when the life is read. */
function assertLifeOptions(options: VersionOptions, where: string): void {
  const { docs, successor, brownouts = [], brownoutStatus, retire } = options
  // The characters of a URL (RFC 3986, section 2): no other could end the link in the header. A client may follow the link,
  // so `javascript:` is none.
  const link = /^(?:https?:|(?![a-z][a-z\d+.-]*:))[\w.~:/?#[\]@!$&'()*+,;=%-]+$/i
  if (docs !== undefined && !(typeof docs === 'string' && link.test(docs)))
    throw invalidOption(where, 'docs', 'an http(s) or relative URL', docs)
  if (successor !== undefined && !Number.isSafeInteger(successor))
    throw invalidOption(where, 'successor', 'a version number', successor)
  if (!Array.isArray(brownouts) || !brownouts.every((pair) => Array.isArray(pair) && pair.length === 2))
    throw invalidOption(
      where,
      'brownouts',
      "a list of windows like [['2027-05-04T14:00Z', '2027-05-04T15:00Z']]",
      brownouts,
    )
  if (![undefined, 410, 503].includes(brownoutStatus))
    throw invalidOption(where, 'brownoutStatus', '410 or 503', brownoutStatus)
  if (![undefined, 'gone', 'serve'].includes(retire)) throw invalidOption(where, 'retire', "'gone' or 'serve'", retire)
}

function assertOption(option: string, value: unknown, where: string): void {
  const type = texts.has(option) ? 'string' : flags.has(option) ? 'boolean' : typeof value
  if (typeof value !== type) throw invalidOption(where, option, `a ${type}`, value)
  if (option === 'path') assertPath(value as string, where)
  if (option === 'module' && !(value as string).split('/').every(isWord))
    throw invalidOption(where, option, "a folder of letters, digits and _, such as 'admin'", value)
  if ((option === 'singular' || (option === 'as' && where.startsWith('scope'))) && !isWord(value as string))
    throw invalidOption(where, option, 'letters, digits and _', value)
  if (option === 'param' && !isParamName(value as string))
    throw invalidOption(where, option, 'letters, digits and _, other than format', value)
}

/** Accepts plain segments, parameters that are whole segments, and a glob as the last segment of a verb. */
function assertPath(path: string, where: string, mayEndInGlob = false): void {
  const segments = path.split('/').filter(Boolean)
  for (const [i, segment] of segments.entries()) {
    const isParam = segment.startsWith(':') || (segment.startsWith('*') && mayEndInGlob && i === segments.length - 1)
    if (!(isParam ? isParamName(segment.slice(1)) : /^[\w$&',;=@~.-]+$/.test(segment)))
      throw new RouterError('HV_PATH', { where, segment })
  }
}

/** `format` is reserved for the extension; `__proto__` would not become a property. */
const isParamName = (name: string): boolean => /^(?!(?:format|__proto__)$)[a-z_]\w*$/i.test(name)
const isConstraint = (value: unknown): boolean => typeof value === 'string' || value instanceof RegExp
const isFormatName = (value: unknown): boolean => typeof value === 'string' && /^[a-z\d]+$/.test(value)
