import { brownoutProblems, changeProblems, didYouMean, listed, quoted, successorProblems } from './wording.ts'

/**
 * Every error of this library: its code, and how its message is made from its details. The message says what happened, and what
 * to do. Each code has a section in `docs/reference/errors.md`.
 */
export const errorMessages = {
  HV_VENDOR_STRING: (details: { received: unknown }) =>
    `api() requires a vendorString, the part after 'application/vnd.': { vendorString: 'acme' }. Received: ${quoted(details.received)}.`,

  HV_OPTION: (
    details:
      | { where: string; option: string; known: readonly string[] }
      | { where: string; option: string; expected: string; received: unknown },
  ) =>
    'known' in details
      ? `${details.where} has no option '${details.option}'.${didYouMean(details.option, details.known)} Its options: ${listed(details.known)}.`
      : `${details.where} requires ${details.option} to be ${details.expected}. Received: ${quoted(details.received)}.`,

  HV_NODE: (
    details: { where: string; received: string; allowed: readonly string[] } | { where: string; expected: string },
  ) =>
    'allowed' in details
      ? `${details.where} cannot contain ${details.received}. It may contain: ${listed(details.allowed)}.`
      : `${details.where} requires a name: ${details.expected}.`,

  HV_NO_VERSION: (_details: {}) => "api() declares no version. Add one: version(1, resources('users')).",

  HV_VERSION_NUMBER: (details: { received: unknown }) =>
    `version(${quoted(details.received)}) is not a version number. Versions are whole numbers from 1: version(1, ...).`,

  HV_DEFAULT_VERSION: (details: {
    option: 'defaultVersion' | 'pinVersion'
    received: unknown
    known: readonly number[]
    preview?: boolean
  }) =>
    `${details.option} ${details.option === 'pinVersion' ? 'returned' : 'is'} ${quoted(details.received)}, ` +
    `which is ${details.preview ? 'a preview' : 'not declared'}. Use one of: ${listed(details.known)}.`,

  HV_EMPTY_VERSION: ({ version }: { version: number }) =>
    `version ${version} has no routes. Add some, or a sunset: version(${version}, { sunset: '2027-07-01' }).`,

  HV_DATE: (details: { where: string; option: string; received: unknown }) =>
    `${details.where} has a date in ${details.option} that cannot be read: ${quoted(details.received)}. ` +
    "Use '2027-07-01' for midnight UTC, or a time with its zone: '2027-07-01T12:00:00Z'.",

  HV_SUNSET: (details: { where: string; deprecated: string; sunset: string }) =>
    `${details.where} has the sunset ${details.sunset}, which is before its deprecation on ${details.deprecated}. Change one of the dates.`,

  HV_BROWNOUT: (details: { where: string; from: string; to: string; reason: keyof typeof brownoutProblems }) =>
    `${details.where} has a brownout from ${details.from} to ${details.to}, ${brownoutProblems[details.reason]}`,

  HV_SUCCESSOR: (details: {
    where: string
    received: unknown
    known: readonly number[]
    reason: keyof typeof successorProblems
  }) =>
    `${details.where} has the successor ${quoted(details.received)}, ${successorProblems[details.reason]}. ` +
    `Versions that can succeed it: ${listed(details.known)}.`,

  HV_UNKNOWN_CACHE: ({ version, cache, known }: { version: number; cache: string; known: readonly string[] }) =>
    `version ${version} inherits from '${cache}', but no cache() above it has that name.${didYouMean(cache, known)} ` +
    `Name the routes to repeat with cache({ as: '${cache}' }, …). Known caches: ${listed(known)}.`,

  HV_DUPLICATE_CACHE: (details: { version: number; cache: string }) =>
    `version ${details.version} declares a second cache named '${details.cache}'. Give each set of routes its own name.`,

  HV_UNKNOWN_RESOURCE: (details: {
    version: number
    caches: readonly string[]
    resource: string
    known: readonly string[]
  }) =>
    `version ${details.version} selects ${quoted(details.resource)}, ` +
    `which cache ${details.caches.map(quoted).join(', ')} doesn't contain.` +
    `${didYouMean(details.resource, details.known)} It contains: ${listed(details.known)}.`,

  HV_UNKNOWN_ACTION: ({ where, action, known }: { where: string; action: unknown; known: readonly string[] }) =>
    `${where} selects the action ${quoted(action)}.${didYouMean(action, known)} The actions are: ${listed(known)}. ` +
    'Add other routes with member() or collection().',

  HV_ONLY_AND_EXCEPT: (details: { where: string }) => `${details.where} has both only and except. Keep one of them.`,

  HV_VERB_TARGET: ({ method, path, to }: { method: string; path: string; to?: string }) =>
    to === undefined
      ? `${method} '${path}' has no target. Add one, such as { to: 'health#show' }.`
      : `${method} '${path}' has the target '${to}'. Use an action such as 'show' in a resource, ` +
        "or a controller and an action such as 'health#show'.",

  HV_NAME: (details: { where: string; name: string; instead: string }) =>
    `${details.where} requires '${details.name}' to be letters, digits and _, because a controller and route names follow from it. ` +
    `Put other characters in the path: ${details.instead}.`,

  HV_PATH: ({ where, segment, twice }: { where: string; segment: string; twice?: true }) =>
    `${where} has the path segment '${segment}'${
      twice
        ? ' twice. Give each its own name.'
        : '. A segment is plain text or one parameter such as :name. ' +
          'The last segment of get(), post() and so on may be a glob such as *path.'
    }`,

  HV_CONSTRAINT: (details: { path: string; param: string; constraint: string; reason: string }) =>
    `the constraint /${details.constraint}/ of '${details.param}' in ${details.path} ${details.reason}. Correct or remove it.`,

  HV_MISSING_ACTIONS: (details: { missing: readonly string[] }) =>
    `the routes require actions that the controllers don't have:\n  ${details.missing.join('\n  ')}\n` +
    'Add each, or remove its route with only or except.',

  HV_MISSING_CONTROLLERS: (details: { folder: string; missing: readonly string[] }) =>
    `the routes require controllers that are not in ${details.folder}:\n  ${details.missing.join('\n  ')}\n` +
    'Add each, or remove its route with only or except. To generate the next version of all controllers, run: npx @hv/router-cli bump',

  HV_TOO_MANY_VERSIONS: (details: { method: string; path: string; max: number }) =>
    `${details.method} ${details.path} has different route options in more than ${details.max} versions, the most Fastify can hold for one path. ` +
    'Retire old versions, serve them from a second Fastify instance, or use the same options in several versions.',

  HV_UNKNOWN_NAME: ({ name, known }: { name: string; known: readonly string[] }) =>
    `no route is named ${quoted(name)}.${didYouMean(name, known)} Route names: ${listed(known)}.`,

  HV_UNKNOWN_VERSION: ({ version, known }: { version: number; known: readonly number[] }) =>
    `version ${typeof version === 'number' ? version : quoted(version)} is not declared. Declared versions: ${listed(known)}.`,

  HV_NO_VALIDATOR: (details: { where: string; part: string }) =>
    `${details.where} declares its ${details.part} as JSON Schema, and nothing validates it. ` +
    'Pass a validator to createRouter: { validator: ajvValidator(new Ajv()) }, or validator: false for no validation.',

  HV_INVALID_SCHEMA: (details: { where: string; part: string; reason: string }) =>
    `${details.where} declares its ${details.part} as JSON Schema that the validator rejects: ${details.reason}. Correct the schema.`,

  HV_NO_JSON_SCHEMA: (details: { where: string; vendor: string } | { where: string; reason: string }) =>
    'reason' in details
      ? `${details.where} has a schema that cannot become JSON Schema: ${details.reason}. ` +
        'Describe the JSON value: a Date is a string.'
      : `${details.where} has a schema of ${details.vendor}, which provides no JSON Schema. ` +
        (details.vendor === 'valibot'
          ? 'Wrap it in toStandardJsonSchema() of @valibot/to-json-schema.'
          : `Use a version of ${details.vendor} that supports Standard JSON Schema, or pass JSON Schema.`),

  HV_UNKNOWN_SCHEMA: (details: { where: string; ref: string; known: readonly string[] }) =>
    `${details.where} refers to '${details.ref}', which is not declared. Schemas with an $id: ${listed(details.known)}. ` +
    'Pass shared schemas as an option: { schemas: Object.values(app.getSchemas()) }.',

  HV_CHANGE: (details: {
    about: string
    where: string | null
    /** Which `became` of the change it is, as `2 of 5`. */
    became: string
    reason: keyof typeof changeProblems
    /** Of `unused`: the schema that is the most like the newer one. No `difference` if it is equal, but another object. */
    nearest: { readonly where: string; readonly at: string; readonly difference: string | null } | null
    /** Of `drifted`: the first place where the schemas differ. */
    difference: string | null
  }) => {
    const { about, where, became, reason, nearest, difference } = details
    const place = `${where === null ? '' : ` in ${where}`}${became.endsWith(' of 1') ? '' : ` (became ${became})`}`
    const problem = `the change '${about}' cannot be undone${place}: ${changeProblems[reason]}.`
    if (difference !== null) return `${problem} They differ at ${difference}.`
    if (nearest === null) return problem
    const schema = `${nearest.where}${nearest.at === '' ? '' : ` at ${nearest.at}`}`
    return nearest.difference === null
      ? `${problem} An equal schema is in ${schema}, but it is another object: pass that one, or give both an $id.`
      : `${problem} The nearest is in ${schema}. It differs at ${nearest.difference === '' ? 'its root' : nearest.difference}.`
  },

  HV_PARAM: ({ path, param, received }: { path: string; param: string; received: unknown }) =>
    received === undefined || received === null || received === ''
      ? `${path} requires '${param}'. Pass { ${param}: ... }.`
      : `${path} cannot have ${quoted(received)} as '${param}'. Pass a number or well-formed text; a segment cannot be empty, . or ..`,
}

/** The code of a {@link RouterError}. */
export type RouterErrorCode = keyof typeof errorMessages

/** What each error carries as data, by code. */
export type RouterErrorDetails = {
  readonly [Code in RouterErrorCode]: Readonly<Parameters<(typeof errorMessages)[Code]>[0]>
}

interface CodedError<Code extends RouterErrorCode> extends Error {
  readonly code: Code
  /** The parts of the message as data. */
  readonly details: RouterErrorDetails[Code]
  /** The page that explains the code. Node prints it with an error that nobody catches. */
  readonly docs: string
}

/** An error of this library. `code` narrows `details`. */
export type RouterError = { [Code in RouterErrorCode]: CodedError<Code> }[RouterErrorCode]

interface RouterErrorConstructor {
  new <Code extends RouterErrorCode>(
    code: Code,
    details: RouterErrorDetails[Code],
    options?: { readonly cause: unknown },
  ): CodedError<Code>
  readonly prototype: RouterError
  [Symbol.hasInstance](value: unknown): value is RouterError
}

const brand = Symbol.for('@hv/router.RouterError')

/**
 * A mistake in a route file, in the controllers passed to an adapter, or in a call to a URL function.
 * `message` starts with the code and says what is wrong, where, and what to do.
 *
 * @example
 * try {
 *   await import('./routes.js')
 * } catch (error) {
 *   if (error instanceof RouterError && error.code === 'HV_UNKNOWN_CACHE') console.error(error.details.known)
 * }
 */
export const RouterError: RouterErrorConstructor = class extends Error {
  /** Compares a brand, so that the ES module and CommonJS copies of this package recognize each other's errors. */
  static override [Symbol.hasInstance](value: unknown): value is RouterError {
    return typeof value === 'object' && value !== null && brand in value
  }

  readonly [brand] = true
  override readonly name = 'RouterError'
  readonly code: RouterErrorCode
  readonly details: unknown
  readonly docs: string

  constructor(code: RouterErrorCode, details: never, options?: ErrorOptions) {
    super(`${code}: ${errorMessages[code](details)}`, options)
    this.code = code
    this.details = details
    this.docs = `https://hv-router.github.io/router/reference/errors#${code.toLowerCase()}`
  }
} as unknown as RouterErrorConstructor

/** @throws RouterError HV_OPTION unless the value is an object */
export function assertObject(where: string, option: string, expected: string, received: unknown): void {
  if (typeof received !== 'object' || received === null) throw invalidOption(where, option, expected, received)
}

/** @throws RouterError HV_OPTION unless the value is a function */
export function assertFunction(where: string, option: string, received: unknown): void {
  if (typeof received !== 'function') throw invalidOption(where, option, 'a function', received)
}

/** @throws RouterError HV_OPTION for a misspelled option */
export function assertKnown(where: string, options: object, known: readonly string[]): void {
  for (const option of Object.keys(options))
    if (!known.includes(option)) throw new RouterError('HV_OPTION', { where, option, known })
}

/** The error about the value of an option. */
export const invalidOption = (where: string, option: string, expected: string, received: unknown): RouterError =>
  new RouterError('HV_OPTION', { where, option, expected, received })
