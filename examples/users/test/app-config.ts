import { type Config, readConfig } from '../src/config.ts'

/** Without limits: the tests that aren't about them come from one address, and often. */
export const appConfig: Config = {
  ...readConfig({}),
  exposeDatabaseErrors: false,
  logLevel: 'silent',
  rateLimit: 0,
  loginFailures: 0,
  loginRate: 0,
  registrationRate: 0,
  hashConcurrency: 2,
}
