import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import Hero from './Hero.vue'
import './style.css' // oxlint-disable-line import/no-unassigned-import

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-before': () => h(Hero) }),
} satisfies Theme
