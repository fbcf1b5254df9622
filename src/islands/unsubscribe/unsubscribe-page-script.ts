import { sendApiRequest } from '../../client/api.ts'

const token = encodeURIComponent(new URLSearchParams(location.search).get('token') ?? '')
/** The format of tokens in letters; a link that does not match was truncated. */
const isComplete = /^[\w-]{43}$/.test(token)
const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector)

/** Shows one of the page's parts and hides the others. */
function show(view: string) {
  for (const part of all('[data-view]')) part.hidden = part.dataset.view !== view
  document.querySelector<HTMLElement>(`[data-view=${view}] h1`)?.focus()
}
show(isComplete ? 'asked' : 'no-link')

for (const button of all('[data-press]')) {
  button.onclick = () =>
    sendApiRequest(
      button.dataset.press === 'off' ? 'POST' : 'DELETE',
      `/api/unsubscribe/${token}`,
      button.dataset.press === 'off' ? {} : undefined,
    ).then(
      () => show(button.dataset.press!),
      () => show('failed'),
    )
}
