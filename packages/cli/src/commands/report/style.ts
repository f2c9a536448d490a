import { Html } from './html.ts'

// The site's mark and palette. docs/report.test.ts compares them.

export const mark = new Html(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="40" fill="none" stroke-width="7" stroke-linecap="round" aria-hidden="true"><path stroke="#d97706" d="M22 32C36 32 32 12 46 12H58"/><path stroke="#6d4aff" d="M22 32C36 32 32 52 46 52H58"/><path stroke="#0d8a8f" d="M22 32H58"/><path stroke="#8a94a3" d="M6 32H22"/></svg>`,
)

export const style = new Html(`
:root { color-scheme: light dark; --bg: light-dark(#fff, #1b1b1f); --soft: light-dark(#f6f6f7, #202127); --line: light-dark(#e2e2e3, #3c3f44);
  --text: light-dark(#3c3c43, #dfdfd6); --text-2: light-dark(#565e6c, #a9b0bb); --brand-1: light-dark(#0b6b75, #5fd3dd);
  --v1: light-dark(#b45309, #f5b041); --v2: light-dark(#0b7d86, #4fd1d9); --v3: light-dark(#5b3df0, #a48cff);
  --ok: light-dark(#136534, #86e0a3); --ok-soft: light-dark(#d9f3e1, #14391f);
  --refused: light-dark(#9f1f2a, #ff9c9c); --refused-soft: light-dark(#fde3e3, #47191c); --added-soft: light-dark(rgb(11 125 134 / 13%), rgb(95 211 221 / 15%)); }
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; }
body { max-width: 1120px; margin: 0 auto; padding: 32px 24px 48px; background: var(--bg); color: var(--text); font: 15px/1.6 'Geist Variable', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere; }
code, pre, #resources tbody th { font: 13px/1.6 'Geist Mono Variable', ui-monospace, 'SF Mono', Menlo, Consolas, monospace; unicode-bidi: isolate; }
header { display: flex; gap: 16px; align-items: center; } header svg { flex: none; } header p, footer, small, .axis { color: var(--text-2); }
h1, h2, h3, h4, header p, ul, ol, th { margin: 0; padding: 0; } h1 { font-size: 26px; line-height: 1.2; letter-spacing: -0.02em; } h2 { margin: 48px 0 12px; font-size: 22px; } h3 { font-size: 16px; } h4 { margin-top: 16px; }
ul, ol { list-style: none; } a { color: var(--brand-1); } small { font-size: 12.5px; } footer { margin-top: 56px; font-size: 13px; }
:focus-visible { outline: 2px solid var(--brand-1); outline-offset: 2px; }
nav { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 12px; margin-top: 24px; }
nav a { padding: 14px 18px; border: 1px solid var(--line); border-radius: 12px; color: var(--text-2); font-size: 13.5px; text-decoration: none; } nav a:hover { border-color: var(--brand-1); } nav b { display: block; color: var(--text); font-size: 19px; }
.chip { display: inline-block; padding: 0 9px; border: 1px solid; border-radius: 10px; font: 600 12px/19px system-ui, sans-serif; white-space: nowrap; }
.live.chip, .accepted { color: var(--ok); } .preview.chip { color: var(--v3); } .deprecated.chip, .warning { color: var(--v1); } .brownout.chip, .retired.chip, .error { color: var(--refused); } .note { color: var(--text-2); }
.timeline > li { display: grid; grid-template-columns: 210px 1fr; gap: 4px 16px; padding: 12px 0; border-top: 1px solid var(--line); } .timeline h3 { display: inline; margin-right: 6px; }
.timeline ul { display: flex; flex-wrap: wrap; gap: 0 20px; grid-column: 2; color: var(--text-2); font-size: 13.5px; }
.track, .axis { position: relative; height: 22px; } .track { overflow: hidden; border-radius: 6px; } .track i { position: absolute; inset: 0 auto 0 0; } .axis { margin-left: 226px; font-size: 12px; } .axis * { position: absolute; transform: translateX(-50%); white-space: nowrap; } .axis b { top: 18px; color: var(--text); }
i.live { background: var(--v2); } i.preview { background: var(--bg); border: 2px dashed var(--v3); } i.deprecated { background: repeating-linear-gradient(135deg, var(--v1) 0 8px, color-mix(in srgb, var(--v1) 72%, var(--bg)) 8px 12px); }
i.brownout { min-width: 5px; border: solid var(--bg); border-width: 0 1px; background: var(--refused); } i.retired { border: 1px solid var(--refused); background: var(--refused-soft); } .track i.today { width: 3px; margin-left: -1px; background: var(--text); outline: 1px solid var(--bg); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 28px 0 0; color: var(--text-2); font-size: 13px; } .legend i { display: inline-block; width: 18px; height: 12px; border-radius: 3px; vertical-align: -1px; } .legend .brownout { width: 7px; }
.help { padding: 12px 16px; border-radius: 10px; background: var(--soft); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 12px; } table { width: 100%; border-collapse: collapse; font-size: 14px; overflow-wrap: normal; } th, td { padding: 9px 16px; text-align: left; white-space: nowrap; } thead { background: var(--soft); } tbody tr { border-top: 1px solid var(--line); }
button { padding: 2px 10px; border: 1px solid var(--line); border-radius: 8px; background: var(--bg); color: inherit; font: inherit; cursor: pointer; } button:hover { border-color: var(--brand-1); } thead button { font-weight: 700; }
b.new, b.changed, b.may-differ, b.removed, b.inherited { font-weight: 600; } b > i { display: inline-block; min-width: 12px; font-style: normal; } b.new { color: var(--ok); } b.changed, b.may-differ { color: var(--v1); } b.removed { color: var(--refused); } b.inherited { color: var(--text-2); font-weight: 400; }
[popover] { width: min(860px, calc(100vw - 24px)); max-height: 86vh; padding: 20px 24px; border: 1px solid var(--line); border-radius: 14px; background: var(--bg); color: inherit; box-shadow: 0 12px 48px rgb(0 0 0 / 25%); overflow: auto; } ::backdrop { background: rgb(0 0 0 / 35%); }
[popover] h3 { padding-right: 80px; } .close { position: absolute; top: 16px; right: 16px; } [popover] p { margin: 8px 0 0; } .routes > li { padding: 9px 0; border-top: 1px solid var(--line); } .routes { margin-top: 12px; } .routes ul { padding-left: 20px; list-style: disc; } .routes p { color: var(--text-2); font-size: 13px; } .routes b { display: inline-block; min-width: 96px; }
.bodies { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; } .bodies > div { min-width: 0; border: 1px solid var(--line); border-top: 3px solid var(--v1); border-radius: 10px; } .bodies > div + div { border-top-color: var(--v2); } .bodies p { padding: 0 12px; } pre { margin: 6px 0 10px; overflow-x: auto; } pre > * { display: block; width: max-content; min-width: 100%; min-height: 1.6em; padding: 0 12px; color: inherit; background: none; } pre mark { background: var(--added-soft); box-shadow: inset 3px 0 var(--brand-1); }
.findings li { padding: 9px 0; border-top: 1px solid var(--line); } .findings small { display: block; }
@media (max-width: 640px) { body { padding: 20px 14px 40px; } nav, .bodies { grid-template-columns: 1fr 1fr; } .bodies { grid-template-columns: 1fr; } .timeline > li { grid-template-columns: minmax(0, 1fr); } .timeline ul { grid-column: 1; } .axis { margin-left: 0; } nav a { padding: 10px 12px; } nav b { font-size: 16px; } .scroll tbody th { position: sticky; left: 0; background: var(--bg); } th, td { padding: 8px 10px; } }
`)
