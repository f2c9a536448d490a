import type { Api, Problem } from '@hv/router'

/** What the suite's actions see of a request, and what they can do to the response. */
export interface Exchange {
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  readonly format: string | null
  readonly version: number
  /** Sets a response header, as the framework's handlers do. */
  setHeader(name: string, value: string): void
}

/**
 * An action that doesn't know the framework. `this` is its controller. It returns what the
 * framework should send: an object as JSON, a string as text, or an async iterable of strings as a
 * stream. It may also return a promise or another thenable for one of these.
 */
export type NeutralAction = (this: { readonly greeting: string }, exchange: Exchange) => unknown

/** An adapter, as the suite uses it. */
export interface AdapterUnderTest {
  readonly name: string
  /**
   * Returns a request target's path as the framework reads it, such as a URL without dot segments.
   * Default: the same
   */
  readonly pathOf?: (target: string) => string
  /** Whether responses to HEAD have the body's length. Default: true */
  readonly measuresHead?: boolean
  /** Whether hooks see paths without their extension, so that these are served. Default: false */
  readonly servesExtensions?: boolean
  /**
   * Wraps an action as one of the framework's handlers, and passes `this` on. If the action returns
   * a thenable, the handler has to return one as well, without awaiting it, so that the suite tests
   * what the router does with it.
   */
  native(action: NeutralAction): (...native: never[]) => unknown
  /**
   * Serves an app. It also has an unversioned route GET /plain (`{"plain":true}`), and an error
   * handler that responds with status 500 and `{"caught": message}`.
   */
  serve(app: AppUnderTest): Promise<RunningApp>
}

export interface AppUnderTest {
  /** Its name in `createApps`. */
  readonly name: string
  /** The versioned routers, in this order. Each parses JSON bodies with its vendor type. */
  readonly mounts: readonly Mount[]
  /**
   * The routers' `problem` hook. In it, the adapter also sets status 200 and the type
   * `application/json`.
   */
  readonly replaceProblem?: (problem: Problem) => unknown
  /** The routers' other options: `now`, `pinVersion`, `onRouted`. */
  readonly options?: object
  /** The app handles CORS itself: it allows the origin `https://app.example`. */
  readonly cors?: boolean
}

export interface Mount {
  readonly routes: Api
  readonly controllers: object
  readonly prefix: string
}

export interface RunningApp {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  close(): Promise<void>
}
