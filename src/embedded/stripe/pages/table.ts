import { html, SafeHtml } from './html-template-and-formatting.ts'

export type HtmlTableCell = SafeHtml | string | number | null

/** A table with headings; a heading that begins with `n:` marks a column of numbers. On a phone, each row becomes a card. */
export function htmlTable(title: string, heads: string[], rows: HtmlTableCell[][]) {
  const names = heads.map(h => h.replace('n:', ''))
  const figures = heads.map(h => new SafeHtml(h.startsWith('n:') ? ' class="n"' : ''))
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}, table"><table>
    <thead><tr>${names.map((name, i) => html`<th${figures[i]!}>${name}</th>`)}</tr></thead>
    <tbody>${rows.map(
      row => html`<tr>${row.map((cell, i) => html`<td${figures[i]!} data-label="${names[i]!}"><div>${cell}</div></td>`)}</tr>`,
    )}</tbody>
  </table></div>`
}
