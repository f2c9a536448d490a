import { pointerTo } from '../changes/json-pointer.ts'
import type { RequestPart } from '../changes/plan.ts'
import { isObject } from '../objects.ts'
import type { Problem } from './problem.ts'

/** The request property that contains a part. */
export const propertyOf = {
  params: 'params',
  querystring: 'query',
  headers: 'headers',
  body: 'body',
} as const

/** A reason why a value doesn't match its schema. Standard Schema has the same shape. */
export interface Issue {
  readonly message: string
  /** The keys from the part down to the value: `['user', 'tags', 0]`. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

// Limits against hostile bodies, such as a list of 50,000 wrong values, an issue that names 50,000
// unknown keys, or a key of 1 MB above a hundred wrong values.
const maxIssues = 100
const maxDepth = 50
const maxIssuesInMessage = 5
const maxIssueLength = 200

const brand = Symbol.for('@hv/router.ValidationError')

/**
 * A request doesn't match its action's schema. Express sends the status and, outside production,
 * the message.
 */
export class ValidationError extends Error {
  /**
   * Checks a brand, so that this package's ES module and CommonJS copies recognize each other's
   * errors.
   */
  static override [Symbol.hasInstance](value: unknown): value is ValidationError {
    return isObject(value) && brand in value
  }

  override readonly name = 'ValidationError'
  readonly status = 400
  readonly statusCode = 400
  readonly expose = true
  readonly part: RequestPart
  /**
   * At most 100, with messages and keys of at most 200 characters, and at most 50 keys per path.
   */
  readonly issues: readonly { readonly message: string; readonly path: readonly PropertyKey[] }[]
  /**
   * What the schema library itself reported, such as zod's issues with their `code`, or Ajv's errors
   * with their `keyword`. Without the limits of `issues`, and Valibot's contain the request's
   * values.
   */
  declare readonly cause: readonly Issue[]

  constructor(part: RequestPart, issues: readonly Issue[]) {
    const kept = issues
      .slice(0, maxIssues)
      .map((issue) => ({ message: shortened(issue.message), path: keysOf(issue) }))
    const shown = kept
      .slice(0, maxIssuesInMessage)
      .map(({ path, message }) =>
        shortened(`${[propertyOf[part], ...path.map(String)].join('/')} ${message}`),
      ) // body/user/0
    const rest = issues.length - shown.length
    super(shown.join(', ') + (rest > 0 ? `, and ${rest} more` : ''), { cause: issues })
    // It isn't a declared property, because then TypeScript would tell the errors of two copies
    // apart.
    Object.defineProperty(this, brand, { value: true })
    this.part = part
    this.issues = kept
  }

  /** The problem document to send to the client. */
  get problem(): Problem {
    return {
      type: 'urn:hv-router:invalid-request',
      title: 'Invalid request',
      status: this.status,
      detail: this.message,
      part: propertyOf[this.part],
      issues: this.issues.map(({ path, message }) => ({ pointer: pointerTo(path), message })),
    }
  }
}

const shortened = (text: string): string =>
  text.length > maxIssueLength ? `${text.slice(0, maxIssueLength - 1)}…` : text

/**
 * Returns an issue's path as plain keys, because Valibot's path items also contain the request's
 * values, such as passwords. ArkType's path is copied first, because it's a special array whose
 * `map()` returns `[0]` if the path is empty.
 */
export const keysOf = ({ path }: Issue): readonly PropertyKey[] =>
  Array.from(path ?? [])
    .slice(0, maxDepth)
    .map((step) => (typeof step === 'object' ? step.key : step))
    .map((key) => (typeof key === 'string' ? shortened(key) : key))
