import { Html } from './html.ts'

// The site's mark and palette, which docs/report.test.ts compares.

export const mark = new Html(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="40" aria-hidden="true"
  fill="none" stroke-width="7" stroke-linecap="round">
  <path stroke="#d97706" d="M22 32C36 32 32 12 46 12H58"/>
  <path stroke="#6d4aff" d="M22 32C36 32 32 52 46 52H58"/>
  <path stroke="#0d8a8f" d="M22 32H58"/>
  <path stroke="#8a94a3" d="M6 32H22"/>
</svg>`,
)

export const style = new Html(`
:root {
  color-scheme: light dark;
  --bg: light-dark(#fff, #1b1b1f);
  --soft: light-dark(#f6f6f7, #202127);
  --line: light-dark(#e2e2e3, #3c3f44);
  --text: light-dark(#3c3c43, #dfdfd6);
  --text-2: light-dark(#565e6c, #a9b0bb);
  --brand-1: light-dark(#0b6b75, #5fd3dd);
  --v1: light-dark(#b45309, #f5b041);
  --v2: light-dark(#0b7d86, #4fd1d9);
  --v3: light-dark(#5b3df0, #a48cff);
  --ok: light-dark(#136534, #86e0a3);
  --ok-soft: light-dark(#d9f3e1, #14391f);
  --refused: light-dark(#9f1f2a, #ff9c9c);
  --refused-soft: light-dark(#fde3e3, #47191c);
}
* { box-sizing: border-box; }
body {
  max-width: 1120px;
  margin: 0 auto;
  padding: 32px 24px 48px;
  background: var(--bg);
  color: var(--text);
  font: 15px/1.6
    'Geist Variable', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  overflow-wrap: anywhere;
}
code, #resources tbody th {
  font: 13px/1.6
    'Geist Mono Variable', ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
  unicode-bidi: isolate;
}
header {
  display: flex;
  gap: 16px;
  align-items: center;
}
header svg { flex: none; }
header p, footer, small, .axis { color: var(--text-2); }
h1, h2, h3, header p, ul, ol, th {
  margin: 0;
  padding: 0;
}
h1 {
  font-size: 26px;
  line-height: 1.2;
  letter-spacing: -0.02em;
}
h2 {
  margin: 48px 0 12px;
  font-size: 22px;
}
h3 { font-size: 16px; }
ul, ol { list-style: none; }
a { color: var(--brand-1); }
small { font-size: 12.5px; }
footer {
  margin-top: 56px;
  font-size: 13px;
}
:focus-visible {
  outline: 2px solid var(--brand-1);
  outline-offset: 2px;
}
.chip {
  display: inline-block;
  padding: 0 9px;
  border: 1px solid;
  border-radius: 10px;
  font: 600 12px/19px system-ui, sans-serif;
  white-space: nowrap;
}
.live.chip { color: var(--ok); }
.preview.chip { color: var(--v3); }
.deprecated.chip, .warning { color: var(--v1); }
.brownout.chip, .retired.chip, .error { color: var(--refused); }
.timeline > li {
  display: grid;
  grid-template-columns: 210px 1fr;
  gap: 4px 16px;
  padding: 12px 0;
  border-top: 1px solid var(--line);
}
.timeline h3 {
  display: inline;
  margin-right: 6px;
}
.timeline ul {
  display: flex;
  flex-wrap: wrap;
  gap: 0 20px;
  grid-column: 2;
  color: var(--text-2);
  font-size: 13.5px;
}
.track, .axis {
  position: relative;
  height: 22px;
}
.track {
  overflow: hidden;
  border-radius: 6px;
}
.track i {
  position: absolute;
  inset: 0 auto 0 0;
}
.axis {
  margin-left: 226px;
  font-size: 12px;
}
.axis * {
  position: absolute;
  transform: translateX(-50%);
  white-space: nowrap;
}
.axis b {
  top: 18px;
  color: var(--text);
}
i.live { background: var(--v2); }
i.preview {
  background: var(--bg);
  border: 2px dashed var(--v3);
}
i.deprecated {
  background: repeating-linear-gradient(
    135deg,
    var(--v1) 0 8px,
    color-mix(in srgb, var(--v1) 72%, var(--bg)) 8px 12px
  );
}
i.brownout {
  min-width: 5px;
  border: solid var(--bg);
  border-width: 0 1px;
  background: var(--refused);
}
i.retired {
  border: 1px solid var(--refused);
  background: var(--refused-soft);
}
.track i.today {
  width: 3px;
  margin-left: -1px;
  background: var(--text);
  outline: 1px solid var(--bg);
}
.legend {
  display: flex;
  flex-wrap: wrap;
  gap: 4px 18px;
  margin: 28px 0 0;
  color: var(--text-2);
  font-size: 13px;
}
.legend i {
  display: inline-block;
  width: 18px;
  height: 12px;
  border-radius: 3px;
  vertical-align: -1px;
}
.legend .brownout { width: 7px; }
.help {
  padding: 12px 16px;
  border-radius: 10px;
  background: var(--soft);
}
.scroll {
  overflow-x: auto;
  border: 1px solid var(--line);
  border-radius: 12px;
}
table {
  width: 100%;
  border-collapse: collapse;
  font-size: 14px;
  overflow-wrap: normal;
}
th, td {
  padding: 9px 16px;
  text-align: left;
  white-space: nowrap;
}
thead { background: var(--soft); }
tbody tr { border-top: 1px solid var(--line); }
details[open] > summary { margin-bottom: 10px; }
summary { cursor: pointer; }
td details[open] {
  width: min(440px, 60vw);
  white-space: normal;
}
td, th { vertical-align: top; }
section > details { margin-top: 12px; }
b.new, b.changed, b.removed, b.inherited { font-weight: 600; }
b > i {
  display: inline-block;
  min-width: 12px;
  font-style: normal;
}
b.new { color: var(--ok); }
b.changed { color: var(--v1); }
b.removed { color: var(--refused); }
b.inherited {
  color: var(--text-2);
  font-weight: 400;
}
.routes > li {
  padding: 9px 0;
  border-top: 1px solid var(--line);
}
.routes ul {
  padding-left: 20px;
  list-style: disc;
}
.findings li {
  padding: 9px 0;
  border-top: 1px solid var(--line);
}
.findings small { display: block; }
@media (max-width: 640px) {
  body { padding: 20px 14px 40px; }
  .timeline > li { grid-template-columns: minmax(0, 1fr); }
  .timeline ul { grid-column: 1; }
  .axis { margin-left: 0; }
  .scroll tbody th {
    position: sticky;
    left: 0;
    background: var(--bg);
  }
  th, td { padding: 8px 10px; }
}
`)
