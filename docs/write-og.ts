// `npm run docs -- og`: writes the picture of links to the site, docs/public/og.png. It needs chromium.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { findProgram } from '../tools/find-program.ts'
import { demo } from './.vitepress/theme/demo.ts'

const publicFolder = join(import.meta.dirname, 'public')
const fontOf = (name: string): string => {
  const file = fileURLToPath(
    import.meta.resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`),
  )
  return `@font-face { font-family: '${name}'; font-weight: 100 900; src: url(data:font/woff2;base64,${readFileSync(file, 'base64')}) }`
}
const mark = readFileSync(join(publicFolder, 'mark.svg'), 'utf8')
const bodyOf = ({ version, lines }: (typeof demo.bodies)[number]) =>
  `<div class="v${version}"><p>version=${version}</p><pre>${lines.join('\n')}</pre></div>`

const html = `<style>
  ${fontOf('geist')} ${fontOf('geist-mono')}
  body { display: flex; flex-direction: column; justify-content: space-between; width: 1200px; height: 630px; margin: 0;
    padding: 64px 72px; box-sizing: border-box; background: #0e141b; color: #f2f5f8; font-family: 'geist' }
  header { display: flex; align-items: center; gap: 20px; font-size: 34px; font-weight: 600 }
  header svg { width: 64px }
  h1 { margin: 0; font-size: 92px; font-weight: 750; line-height: 1.05; letter-spacing: -0.04em }
  h1 em { color: #5fd3dd; font-style: normal }
  main { display: flex; justify-content: space-between; align-items: center }
  .bodies { display: flex; gap: 16px; font: 20px/1.6 'geist-mono' }
  .bodies div { padding: 14px 22px; border-top: 5px solid #f5b041; border-radius: 12px; background: #18212b }
  .bodies .v2 { border-color: #4fd1d9 }
  .bodies p { margin: 0 0 6px; color: #f5b041; font-size: 18px }
  .bodies .v2 p { color: #4fd1d9 }
  pre { margin: 0; font: inherit }
  footer { color: #a9b0bb; font-size: 30px }
</style>
<header>${mark} @hv/router</header>
<main>
  <h1>One URL.<br><em>Every<br>version.</em></h1>
  <div class="bodies">${demo.bodies.map(bodyOf).join('')}</div>
</main>
<footer>Break your API without breaking your clients.</footer>`

const executablePath = findProgram('chromium', 'google-chrome') ?? 'chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, colorScheme: 'dark' })
await page.setContent(html)
await page.evaluate('document.fonts.ready')
await page.screenshot({ path: join(publicFolder, 'og.png') })
await browser.close()
