import { html, SafeHtml } from './html-template-and-formatting.ts'

interface Field {
  name: string
  label: string
  value: string
  error?: string
  hint?: string
  /** Additional trusted attributes as raw HTML. */
  more?: string
  focus?: boolean
}

/** A labeled input. Its error appears below it, and screen readers announce it with the input. */
export function renderFormField({ name, label, value, error, hint, more = '', focus }: Field) {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" value="${value}" ${new SafeHtml(more)} ${error && new SafeHtml('aria-invalid="true"')}
      ${described && html`aria-describedby="${described}"`} ${focus && new SafeHtml('autofocus')}>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${error && html`<p class="error" id="${name}-error">${error}</p>`}
  </div>`
}

/** A labeled select element. `options`: the label for each value. */
export function htmlSelectField({ name, label, value, error, more = '' }: Omit<Field, 'hint' | 'focus'>, options: Record<string, string>) {
  const choices = Object.entries(options)
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}" ${new SafeHtml(more)} ${error && new SafeHtml(`aria-invalid="true" aria-describedby="${name}-error"`)}>
      ${choices.map(([of, text]) => html`<option value="${of}" ${of === value && new SafeHtml('selected')}>${text}</option>`)}
    </select>
    ${error && html`<p class="error" id="${name}-error">${error}</p>`}
  </div>`
}
