// Serves an app of the suite on Workers. Its name is in a binding.
import { type AppName, createApps } from '@hv/router-contract/apps'
import { createApp, native } from '../app.ts'

const apps = createApps(native)

export default {
  fetch: (request: Request, { APP }: { readonly APP: AppName }) => createApp(apps.get(APP)!)(request),
}
