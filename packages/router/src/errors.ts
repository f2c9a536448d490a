import { isObject } from './objects.ts'
import { didYouMean, listed, quoted, shortDate, successorProblems } from './wording.ts'

/**
 * This library's errors: each code, with its details. Each code has a section in
 * `docs/reference/errors.md`.
 */
export interface RouterErrorDetails {
  HV_VENDOR_STRING: { received: unknown }
  HV_OPTION:
    | { where: string; option: string; known: readonly string[] }
    | { where: string; option: string; expected: string; received: unknown }
  HV_NODE: {
    where: string
    received: string
    allowed: readonly string[]
    reason: 'nothing' | 'not-allowed'
  }
  HV_NO_VERSION: {}
  HV_VERSION_NUMBER: { received: unknown }
  HV_DEFAULT_VERSION: {
    option: 'defaultVersion' | 'pinVersion'
    received: unknown
    known: readonly number[]
  }
  HV_EMPTY_VERSION: { version: number }
  HV_DATE: { where: string; option: string; received: unknown }
  HV_SUNSET: { where: string; deprecated: string; sunset: string }
  HV_BROWNOUT: {
    where: string
    from: string
    to: string
    /** The deprecation or the sunset that it conflicts with. */
    limit: string
    reason: 'no-time' | 'too-early' | 'too-late'
  }
  HV_SUCCESSOR: {
    where: string
    received: unknown
    known: readonly number[]
    reason: keyof typeof successorProblems
  }
  HV_UNKNOWN_CACHE: { version: number; cache: string; known: readonly string[] }
  HV_DUPLICATE_CACHE: { version: number; cache: string }
  HV_UNKNOWN_RESOURCE: {
    version: number
    from: readonly (number | string)[]
    option: 'only' | 'except'
    resource: string
    known: readonly string[]
  }
  HV_UNKNOWN_ACTION: { where: string; action: unknown; known: readonly string[] }
  HV_ONLY_AND_EXCEPT: { where: string }
  HV_VERB_TARGET: { where: string; to?: string | undefined }
  HV_NAME: { where: string; name: string; instead: string }
  HV_PATH: { where: string; segment: string; twice?: true }
  HV_CONSTRAINT: { where: string; param: string; constraint: string; reason: string }
  HV_MISSING_ACTIONS: { missing: readonly string[] }
  HV_MISSING_CONTROLLERS: { folder: string; missing: readonly string[] }
  HV_TOO_MANY_VERSIONS: { method: string; path: string; max: number }
  HV_UNKNOWN_NAME: { name: string; known: readonly string[] }
  HV_UNKNOWN_VERSION:
    | { version: number; known: readonly number[] }
    | {
        version: number
        known: readonly number[]
        /** The version that inherits from it. */
        inheritedBy: number
        reason: 'undeclared' | 'no-routes'
      }
  HV_NO_VALIDATOR: { where: string; part: string }
  HV_INVALID_SCHEMA: { where: string; part: string; reason: string }
  HV_NO_JSON_SCHEMA: { where: string; vendor: string } | { where: string; reason: string }
  HV_UNKNOWN_SCHEMA: { where: string; ref: string; known: readonly string[] }
  HV_CHANGE: {
    about: string
    where: string | null
    /** Which `became` of the change, from 1, and how many there are. */
    became: { readonly number: number; readonly of: number }
    reason:
      | 'unused'
      | 'no-up'
      | 'no-down'
      | 'ambiguous'
      | 'recursive'
      | 'library'
      | 'derived'
      | 'status'
      | 'async'
      | 'drifted'
    /** The reason in words, and what to do. */
    problem: string
  }
  HV_PARAM: { path: string; param: string; received: unknown }
}

/** The code of a {@link RouterError}. */
export type RouterErrorCode = keyof RouterErrorDetails

/** The message of each error, made from its details: what happened, where, and what to do. */
export const errorMessages: {
  readonly [Code in RouterErrorCode]: (details: RouterErrorDetails[Code]) => string
} = {
  HV_VENDOR_STRING: ({ received }) =>
    "api() requires a vendorString, the part after 'application/vnd.': { vendorString: 'acme' }. " +
    'It starts with a letter or a digit, and also has any of !#$&^_.-, up to 123 characters. ' +
    `Received: ${quoted(received)}.`,

  HV_OPTION(details) {
    const { where, option } = details
    if ('known' in details) {
      const hint = didYouMean(option, details.known)
      return `${where} has no option '${option}'.${hint} Its options: ${listed(details.known)}.`
    }
    const { received, expected } = details
    if (received instanceof Promise)
      return option === 'controllers'
        ? `${where}'s controllers are a promise. Write: await loadControllers(…).`
        : `${where} got a promise as ${option}. Await it first.`
    const hint = option === 'api' && received === undefined ? ' Is there a circular import?' : ''
    return `${where} requires ${option} to be ${expected}. Received: ${quoted(received)}.${hint}`
  },

  HV_NODE: ({ where, received, allowed, reason }) =>
    reason === 'nothing'
      ? `${where} got ${received}. Is a variable or a \`return\` missing?`
      : `${where} can't contain ${received}. It can contain: ${listed(allowed)}.`,

  HV_NO_VERSION: () => "api() declares no version. Add one: version(1, resources('users')).",

  HV_VERSION_NUMBER: ({ received }) =>
    `version(${quoted(received)}) isn't a version number. Versions are whole numbers from 1: version(1, …).`,

  HV_DEFAULT_VERSION({ option, received, known }) {
    const isPinned = option === 'pinVersion'
    if (received instanceof Promise)
      return isPinned
        ? 'pinVersion returned a promise, but it has to be synchronous. Look the version up before routing.'
        : 'defaultVersion is a promise. Await it before you call api().'
    return (
      `${option} ${isPinned ? 'returned' : 'is'} ${quoted(received)}, which isn't declared` +
      `${isPinned ? '' : ' or is a preview'}. Use one of: ${listed(known)}.`
    )
  },

  HV_EMPTY_VERSION: ({ version }) =>
    `version ${version} has no routes. Add some, or a sunset: version(${version}, { sunset: '2027-07-01' }).`,

  HV_DATE: ({ where, option, received }) =>
    `${where} has ${quoted(received)} in ${option}, which isn't a day, or a time with its zone. ` +
    "Use '2027-07-01' for midnight UTC, or '2027-07-01T12:00:00Z'.",

  HV_SUNSET: ({ where, deprecated, sunset }) =>
    `${where} has the sunset ${shortDate(sunset)}, which is before its deprecation on ` +
    `${shortDate(deprecated)}. Change one of the dates.`,

  HV_BROWNOUT({ where, from, to, limit, reason }) {
    const brownout = `${where} has a brownout from ${shortDate(from)} to ${shortDate(to)}`
    if (reason === 'no-time') return `${brownout}, whose end isn't after its start. Correct it.`
    const [conflict, remedy] =
      reason === 'too-early'
        ? ['starts before the deprecation', 'after']
        : ['ends after the sunset', 'before']
    return `${brownout}, which ${conflict} on ${shortDate(limit)}. Move it ${remedy} that date.`
  },

  HV_SUCCESSOR({ where, received, known, reason }) {
    const remedy =
      known.length === 0
        ? 'Declare the version that replaces it, or leave successor out'
        : `Versions that can succeed it: ${listed(known)}`
    return `${where} has the successor ${quoted(received)}, ${successorProblems[reason]}. ${remedy}.`
  },

  HV_UNKNOWN_CACHE({ version, cache, known }) {
    const remedy =
      (/^\d+$/.test(cache) && ` To inherit version ${cache}, leave out the quotes.`) ||
      didYouMean(cache, known) ||
      ` Put the routes to repeat in cache({ as: '${cache}' }, …), or use a version's number. ` +
        `Caches above it: ${listed(known)}.`
    return `version ${version} inherits from '${cache}', but no cache above it has that name.${remedy}`
  },

  HV_DUPLICATE_CACHE: ({ version, cache }) =>
    `version ${version} declares a second cache named '${cache}'. Give each set of routes its own name.`,

  HV_UNKNOWN_RESOURCE({ version, from, option, resource, known }) {
    const sources = from.map((source) =>
      typeof source === 'number' ? `version ${source}` : `cache '${source}'`,
    )
    return (
      `version ${version}'s ${option} names '${resource}', which ${sources.join(' and ')} ` +
      `${sources.length === 1 ? "doesn't" : "don't"} have.${didYouMean(resource, known)} ` +
      `You can name: ${listed(known)}.`
    )
  },

  HV_UNKNOWN_ACTION: ({ where, action, known }) =>
    `${where} selects the action ${quoted(action)}, which doesn't exist.${didYouMean(action, known)} ` +
    `The actions are: ${listed(known)}. Add other routes with member() or collection().`,

  HV_ONLY_AND_EXCEPT: ({ where }) => `${where} has both only and except. Keep one of them.`,

  HV_VERB_TARGET: ({ where, to }) =>
    to === undefined
      ? `${where} has no target. Add one, such as { to: 'health#show' }.`
      : `${where} has the target '${to}'. Use an action such as 'show' in a resource, ` +
        "or a controller and an action such as 'health#show'.",

  HV_NAME: ({ where, name, instead }) =>
    `${where} gives a controller or a route the name '${name}', but names only contain letters, digits and _. ` +
    `Other characters can only be in the path. Write ${instead}.`,

  HV_PATH: ({ where, segment, twice }) =>
    `${where} has the path segment '${segment}'${
      twice
        ? ' twice. Give each its own name.'
        : ". A segment is plain text (letters, digits and any of _-.~$&',;=@) or one parameter such as :name. " +
          'The last segment of get(), post() and so on can be a glob such as *path.'
    }`,

  HV_CONSTRAINT: ({ where, param, constraint, reason }) =>
    `constraints.${param} of ${where} is /${constraint}/, which ${reason}.`,

  HV_MISSING_ACTIONS: ({ missing }) =>
    `the routes require actions that the controllers don't have:\n  ${missing.join('\n  ')}\n` +
    'Add each, or remove its route with only or except.',

  HV_MISSING_CONTROLLERS: ({ folder, missing }) =>
    `the routes require controllers that aren't in ${folder}:\n  ${missing.join('\n  ')}\n` +
    'Add each, or remove its route with only or except. To generate the next version of all controllers, run: npx @hv/router-cli@0.1 bump',

  HV_TOO_MANY_VERSIONS: ({ method, path, max }) =>
    `${method} ${path} has different route options in more than ${max} versions, the most Fastify can hold for one path. ` +
    'Retire old versions, serve them from a second Fastify instance, or use the same options in several versions.',

  HV_UNKNOWN_NAME: ({ name, known }) =>
    `no route is named ${quoted(name)}.${didYouMean(name, known)} Route names: ${listed(known)}.`,

  HV_UNKNOWN_VERSION(details) {
    const { version, known } = details
    if (!('inheritedBy' in details))
      return `version ${quoted(version)} isn't declared. Declared versions: ${listed(known)}.`
    const heir = `version ${details.inheritedBy}`
    const problem =
      details.reason === 'no-routes'
        ? `has no routes any more. Move them into ${heir} first`
        : `isn't declared above it. Versions it can inherit from: ${listed(known)}`
    return `${heir} inherits from version ${version}, which ${problem}.`
  },

  HV_NO_VALIDATOR: ({ where, part }) =>
    `${where} declares its ${part} as JSON Schema, and nothing validates it. ` +
    'Pass a validator to createRouter: { validator: ajvValidator(new Ajv()) }, or validator: false for no validation.',

  HV_INVALID_SCHEMA: ({ where, part, reason }) =>
    `${where} declares its ${part} as JSON Schema that the validator rejects: ${reason}. Correct the schema.`,

  HV_NO_JSON_SCHEMA(details) {
    const { where } = details
    if ('reason' in details)
      return (
        `${where} has a schema that can't be converted to JSON Schema: ${details.reason}. ` +
        'Describe the JSON value: a Date is a string.'
      )
    return (
      `${where} has a schema of ${details.vendor} without JSON Schema, which zod has from 4.2 on, arktype ` +
      'from 2.1.28 on, and valibot with toStandardJsonSchema() of @valibot/to-json-schema. ' +
      'Use one of these, or pass JSON Schema.'
    )
  },

  HV_UNKNOWN_SCHEMA: ({ where, ref, known }) =>
    `${where} refers to '${ref}', which isn't declared. Schemas with an $id: ${listed(known)}. ` +
    'Pass shared schemas as an option: { schemas: Object.values(app.getSchemas()) }.',

  HV_CHANGE({ about, where, became, problem }) {
    const place = where === null ? '' : ` in ${where}`
    const step = became.of === 1 ? '' : ` (became ${became.number} of ${became.of})`
    return `the change '${about}' can't be undone${place}${step}: ${problem}.`
  },

  HV_PARAM: ({ path, param, received }) =>
    received === undefined || received === null || received === ''
      ? `${path} requires '${param}'. Pass { ${param}: … }.`
      : `${path} can't have ${quoted(received)} as '${param}'. Pass a number or well-formed text; a segment can't be empty, . or ..`,
}

interface CodedError<Code extends RouterErrorCode> extends Error {
  readonly code: Code
  /** The parts of the message as data. */
  readonly details: Readonly<RouterErrorDetails[Code]>
  /** The page that explains the code. Node prints it with errors that nobody catches. */
  readonly docs: string
}

/** One of this library's errors. `code` narrows `details`. */
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
 * A mistake in a route file, in the controllers passed to an adapter, or in a call to a URL
 * function. `message` starts with the code, and says what's wrong, where, and what to do.
 *
 * @example
 * try {
 *   await import('./routes.js')
 * } catch (error) {
 *   if (error instanceof RouterError && error.code === 'HV_UNKNOWN_CACHE')
 *     console.error(error.details.known)
 * }
 */
export const RouterError: RouterErrorConstructor = class extends Error {
  /**
   * Compares a brand, so that the ES module and CommonJS copies of this package recognize each
   * other's errors.
   */
  static override [Symbol.hasInstance](value: unknown): value is RouterError {
    return isObject(value) && brand in value
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

/** @throws RouterError HV_OPTION unless the value is an object. Lists and promises don't count. */
export function assertObject(
  where: string,
  option: string,
  expected: string,
  received: unknown,
): void {
  if (!isObject(received) || received instanceof Promise)
    throw invalidOption(where, option, expected, received)
}

/** @throws RouterError HV_OPTION unless the option is left out, or its value is a function */
export function assertFunction(where: string, option: string, received: unknown): void {
  if (received !== undefined && typeof received !== 'function')
    throw invalidOption(where, option, 'a function', received)
}

/** @throws RouterError HV_OPTION for a misspelled option */
export function assertKnown(where: string, options: object, known: readonly string[]): void {
  for (const option of Object.keys(options))
    if (!known.includes(option)) throw new RouterError('HV_OPTION', { where, option, known })
}

/** Creates the error about an option's value. */
export const invalidOption = (
  where: string,
  option: string,
  expected: string,
  received: unknown,
): RouterError => new RouterError('HV_OPTION', { where, option, expected, received })
