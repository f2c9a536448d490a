import type { Api, Problem } from '@hv/router'

/** What an action of the suite sees of a request, and what it may do to the response. */
export interface Exchange {
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  readonly format: string | null
  readonly version: number
  /** Sets a response header, as handlers of the framework do. */
  setHeader(name: string, value: string): void
}

/**
 * An action that knows no framework. `this` is its controller. It returns what the framework sends:
 * an object as JSON, a string as text, an async iterable of strings as a stream; or a promise or another thenable of one of these.
 */
export type NeutralAction = (this: { readonly greeting: string }, exchange: Exchange) => unknown

/** An adapter, as the suite uses it. */
export interface AdapterUnderTest {
  readonly name: string
  /** The path of a request target as the framework receives it, such as a URL without dot segments. Default: the same */
  readonly pathOf?: (target: string) => string
  /** Whether the response to HEAD has the length of the body. Default: true */
  readonly measuresHead?: boolean
  /**
   * Wraps an action as a handler of the framework, and passes `this` on. The handler must return a thenable when the
   * action does, without awaiting it, so that the suite tests what the router does with it.
   */
  native(action: NeutralAction): (...native: never[]) => unknown
  /**
   * Serves an app. It also has an unversioned route GET /plain (`{"plain":true}`), and an error handler that responds
   * with status 500 and `{"caught": message}`.
   */
  serve(app: AppUnderTest): Promise<RunningApp>
}

export interface AppUnderTest {
  /** Its name in `createApps`. */
  readonly name: string
  /** Versioned routers, in this order. Each parses JSON bodies under its vendor type. */
  readonly mounts: readonly Mount[]
  /** The `problem` hook of the routers. The adapter also sets status 200 and the type `application/json` in it. */
  readonly replaceProblem?: (problem: Problem) => unknown
  /** Further options of the routers: `now`, `pinVersion`, `onRouted`. */
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
