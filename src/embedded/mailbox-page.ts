import { createHash } from 'node:crypto'
import type { StoredLetter } from './stored-letter.ts'

const text = (raw: string) =>
  raw.replace(/[&<>"']/g, c => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[c as '&' | '<' | '>' | '"' | "'"]};`)

const style = `
:root { --chalk: #faf8f3; --paper: #fff; --ink: #14201a; --ink-2: #55625b; --line: #dfdbd0; --field: #14532d; --clay: #b4491f; }
* { box-sizing: border-box }
body { margin: 0; background: var(--chalk); color: var(--ink); font: 16px/1.5 Archivo, system-ui, sans-serif; display: grid; grid-template: auto 1fr / 360px 1fr; height: 100vh }
header { grid-column: 1 / -1; background: var(--field); color: var(--chalk); padding: 12px 24px; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px }
h1 { font-size: 18px; font-weight: 750; margin: 0; display: flex; align-items: center; gap: 10px }
h1 svg { width: 22px }
header p { margin: 0; font-size: 14px; opacity: .85; flex: 1 }
select, button { font: inherit; font-size: 14px; min-height: 44px; padding: 0 14px; border-radius: 10px; border: 1px solid var(--line); background: var(--paper); color: var(--ink) }
form { display: flex; gap: 8px; align-items: center }
label { font-size: 14px }
nav { overflow: auto; border-right: 1px solid var(--line); background: var(--paper) }
nav ol { list-style: none; margin: 0; padding: 0 }
nav a { display: block; padding: 14px 24px; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none }
nav a:hover { background: var(--chalk) }
nav a[aria-current] { background: var(--chalk); box-shadow: inset 4px 0 var(--clay) }
nav b { display: block; font-weight: 650 }
nav span, nav time { display: block; font-size: 14px; color: var(--ink-2); overflow: hidden; text-overflow: ellipsis }
:focus-visible { outline: 3px solid var(--clay); outline-offset: -3px }
main { display: flex; flex-direction: column; min-width: 0; min-height: 0 }
main > div { padding: 20px 24px 16px; border-bottom: 1px solid var(--line) }
h2 { margin: 0 0 6px; font-size: 22px; font-weight: 750; line-height: 1.25 }
dl { margin: 0; font-size: 14px; color: var(--ink-2); display: grid; grid-template-columns: auto 1fr; gap: 2px 12px }
dt, dd { margin: 0 }
.tabs { display: flex; gap: 8px; margin-top: 14px }
.tabs a { padding: 6px 16px; border-radius: 99px; font-size: 14px; color: var(--field); text-decoration: none; border: 1px solid var(--line) }
.tabs a[aria-current] { background: var(--field); color: var(--chalk) }
iframe, pre { flex: 1; border: 0; width: 100%; margin: 0; background: var(--paper); min-height: 320px }
pre { padding: 24px; overflow: auto; white-space: pre-wrap; font: 14px/1.6 ui-monospace, monospace }
.empty { place-content: center; text-align: center; color: var(--ink-2); display: grid; padding: 48px 24px; gap: 8px; grid-column: 1 / -1 }
.empty svg { width: 64px; margin: 0 auto; color: var(--line) }
@media (max-width: 767px) { body { display: block; height: auto } nav { border-right: 0; max-height: 45vh } main { border-top: 4px solid var(--field) } iframe { height: 75vh } }`

// Reloads the page when new letters arrive. The URL names the chosen letter, which therefore stays open.
const script = `
const count = document.body.dataset.count
setInterval(async () => {
  if (document.hidden) return
  const letters = await fetch('/letters.json' + location.search).then(r => r.json()).catch(() => null)
  if (letters && String(letters.length) !== count) location.reload()
}, 2000)
document.querySelector('select')?.addEventListener('change', e => e.target.form.submit())`

const hash = (raw: string) => `'sha256-${createHash('sha256').update(raw).digest('base64')}'`
export const mailboxContentSecurityPolicy = `default-src 'none'; img-src data:; style-src ${hash(style)}; script-src ${hash(script)}; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
/** A letter may load styles and images and open its links in a new tab. It may not run scripts or do anything else. */
export const letterContentSecurityPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline' http: https:; font-src data: http: https:"

const diamond =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true"><path d="M12 2 22 12 12 22 2 12Z"/><path d="m7 10.5 5 4 5-4"/></svg>'

/** Renders the mailbox page: the letters, newest first, with one of them open. `as`: 'text' shows its plain text instead of its HTML. */
export function mailboxPage(view: { letters: StoredLetter[]; everyone: string[]; to?: string; id: string | null; as: string | null }) {
  const open = view.letters.find(l => l.id === view.id) ?? view.letters[0]
  const link = (params: Record<string, string | undefined>) => {
    const given = Object.entries({ to: view.to, ...params }).filter((p): p is [string, string] => Boolean(p[1]))
    return `/?${text(new URLSearchParams(given).toString())}`
  }
  const time = (iso: string) => `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
  const option = (value: string, name: string) =>
    `<option value="${text(value)}"${value === (view.to ?? '') ? ' selected' : ''}>${text(name)}</option>`
  const item = (l: StoredLetter) => `<li><a href="${link({ id: l.id })}"${l === open ? ' aria-current="true"' : ''}>
<b>${text(l.subject)}</b><span>${text(l.to.join(', '))}</span>${time(l.created_at)}</a></li>`
  const asText = open && (view.as === 'text' || open.html === undefined)
  const tab = (as: 'html' | 'text', name: string) =>
    `<a href="${link({ id: open!.id, as })}"${(as === 'text') === asText ? ' aria-current="true"' : ''}>${name}</a>`
  const letter =
    open &&
    `<main><div><h2>${text(open.subject)}</h2><dl><dt>From</dt><dd>${text(open.from)}</dd><dt>To</dt><dd>${text(open.to.join(', '))}</dd>
<dt>Sent</dt><dd>${time(open.created_at)}</dd></dl>
<div class="tabs">${open.html === undefined ? '' : tab('html', 'Letter')}${open.text === undefined ? '' : tab('text', 'Plain text')}</div></div>
${
  asText
    ? `<pre tabindex="0">${text(open.text ?? '')}</pre>`
    : `<iframe title="${text(open.subject)}" src="/letters/${open.id}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
}</main>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Mailbox${open ? ` (${view.letters.length})` : ''} · DiamondLink</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body data-count="${view.letters.length}"><header><h1>${diamond}Mailbox</h1><p>Emails land here instead of being sent.</p>
<form><label for="to">To</label><select name="to" id="to">${option('', 'Everyone')}${view.everyone.map(e => option(e, e)).join('')}</select>
<noscript><button>Show</button></noscript></form></header>
${
  open
    ? `<nav aria-label="Emails"><ol>${view.letters.map(item).join('')}</ol></nav>${letter}`
    : `<main class="empty">${diamond}<h2>No emails yet</h2><p>What DiamondLink writes to people shows up here as it is sent.</p></main>`
}<script>${script}</script></body></html>`
}
