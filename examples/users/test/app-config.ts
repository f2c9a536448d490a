import type { AppConfig } from '../src/app.ts'

/** Without limits: the tests that aren't about them come from one address, and often. */
export const appConfig: AppConfig = {
  exposeDatabaseErrors: false,
  logLevel: 'silent',
  rateLimit: 0,
  loginFailures: 0,
  loginRate: 0,
  registrationRate: 0,
  trustProxy: null,
  closedRegistration: false,
  hashConcurrency: 2,
}
