// Serves an app of the suite on Workers. Its name is in a binding.
import { type AppName, createApps } from '@hv/router-contract/apps'
import { hideSubscriberErrors } from './quiet.ts'
import { type App, createApp, native } from '../app.ts'

hideSubscriberErrors()
const apps = createApps(native)

let app: App | undefined

export default {
  fetch(request: Request, { APP }: { readonly APP: AppName }) {
    app ??= createApp(apps.get(APP)!())
    return app(request)
  },
}
