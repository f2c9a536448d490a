/** Why two documents can't be compared. */
export type DiffErrorCode =
  /** The value isn't an OpenAPI document. */
  | 'not-openapi'
  /** The document has a version of OpenAPI that isn't compared, such as Swagger 2. */
  | 'unsupported-version'
  /** A file can't be read, or an object contains itself. */
  | 'unreadable'
  /** A reference leads to a file that can't be read. */
  | 'unresolved-reference'
  /** The documents are nested too deeply, or combine schemas in too many ways. */
  | 'too-large'
  /** An option has an unknown name or a wrong value. */
  | 'option'

const brand = Symbol.for('@hv/openapi-diff.DiffError')

/**
 * Says why two documents can't be compared.
 *
 * @example if (error instanceof DiffError && error.code === 'not-openapi') …
 */
export class DiffError extends Error {
  /**
   * Checks a brand, so that this package's ES module and CommonJS copies recognize each other's
   * errors.
   */
  static override [Symbol.hasInstance](value: unknown): value is DiffError {
    return typeof value === 'object' && value !== null && brand in value
  }

  override readonly name = 'DiffError'
  readonly code: DiffErrorCode

  constructor(code: DiffErrorCode, message: string) {
    super(message)
    this.code = code
    Object.defineProperty(this, brand, { value: true })
  }
}
