import { html, Markup } from './html.ts'

interface Field {
  name: string
  label: string
  value: string
  error?: string
  hint?: string
  /** More attributes, ours. */
  more?: string
  focus?: boolean
}

/** A labelled input; its error stands beside it and is announced with it. */
export function formField({ name, label, value, error, hint, more = '', focus }: Field) {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" value="${value}" ${new Markup(more)} ${error && new Markup('aria-invalid="true"')}
      ${described && html`aria-describedby="${described}"`} ${focus && new Markup('autofocus')}>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${error && html`<p class="error" id="${name}-error">${error}</p>`}
  </div>`
}
