import { type Theme, useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import {
  type HydrationStrategy,
  defineAsyncComponent,
  defineComponent,
  h,
  onMounted,
  watch,
} from 'vue'
import BarChart from './BarChart.vue'
import DirectionDiagram from './DirectionDiagram.vue'
import Footer from './Footer.vue'
import Home from './Home.vue'
import LifecycleDiagram from './LifecycleDiagram.vue'
import RequestDiagram from './RequestDiagram.vue'
/* oxlint-disable import/no-unassigned-import */
import '@shikijs/vitepress-twoslash/style.css'
import './fonts.css'
import './style.css'
import './diagrams.css'
import './home.css'
/* oxlint-enable import/no-unassigned-import */

/** Scrolls a sidebar that's longer than the window to the page that the reader is on. */
function showActiveItem(): void {
  const sidebar = document.querySelector('.VPSidebar')
  const item = [...(sidebar?.querySelectorAll('.is-link.is-active') ?? [])].at(-1)
  if (sidebar == null || item === undefined) return
  const { bottom } = item.getBoundingClientRect()
  if (bottom > innerHeight) sidebar.scrollTop += bottom - innerHeight / 2
}

/**
 * The built page shows the playground's first result. A phone computes it again, which takes a second, when the reader reaches
 * for the playground or comes with a link to a different request.
 */
const whenUsed: HydrationStrategy = (hydrate, forEachElement) => {
  if (location.hash !== '') {
    hydrate()
    return
  }
  const use = new AbortController()
  const start = (): void => {
    use.abort()
    hydrate()
  }
  forEachElement((element) => {
    for (const event of ['pointerover', 'focusin'])
      element.addEventListener(event, start, { signal: use.signal })
  })
  addEventListener('hashchange', start, { signal: use.signal })
  return () => use.abort()
}

const Layout = defineComponent(() => {
  const route = useRoute()
  // In the next frame, the group of the page is open.
  const show = () => void requestAnimationFrame(showActiveItem)
  onMounted(show)
  watch(() => route.path, show, { flush: 'post' })
  return () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-before': () => h(Home),
      'layout-bottom': () => h(Footer),
    })
})

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('BarChart', BarChart)
    app.component('DirectionDiagram', DirectionDiagram)
    app.component('LifecycleDiagram', LifecycleDiagram)
    // Only its own page loads the parser and the library.
    app.component(
      'Playground',
      defineAsyncComponent({ loader: () => import('./Playground.vue'), hydrate: whenUsed }),
    )
    app.component('RequestDiagram', RequestDiagram)
    // The pop-ups with types: only pages that have some load them.
    app.component(
      'VMenu',
      defineAsyncComponent(async () => {
        app.use((await import('@shikijs/vitepress-twoslash/client')).default)
        return app.component('VMenu')!
      }),
    )
  },
} satisfies Theme
