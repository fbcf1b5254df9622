/** Markup that is safe to send, because all external text in it was escaped. */
export class SafeHtml {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type Part = SafeHtml | string | number | null | undefined | false | Part[]

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const render = (part: Part): string => {
  if (part instanceof SafeHtml) return part.text
  if (Array.isArray(part)) return part.map(render).join('')
  if (part === null || part === undefined || part === false) return ''
  return String(part).replace(/[&<>"']/g, c => escapes[c]!)
}

/** html`<p>${anything}</p>`: escapes its values, except markup that it has produced itself. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]) =>
  new SafeHtml(strings.map((s, i) => s + (i < parts.length ? render(parts[i]) : '')).join(''))

export const formatMoney = (cents: number | null) =>
  cents === null ? '' : `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`
export const spacedCardNumber = (number: string) =>
  number.startsWith('3') ? number.replace(/(\d{4})(\d{6})/, '$1 $2 ') : number.replace(/(\d{4})(?=\d)/g, '$1 ')
export const timeElement = (seconds: number) => {
  const iso = new Date(seconds * 1000).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`
}

const brands: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', discover: 'Discover' }
export const cardBrandName = (brand: string) => brands[brand] ?? brand
