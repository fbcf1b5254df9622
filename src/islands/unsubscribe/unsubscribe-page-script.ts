import { sendApiRequest } from '../../client/api.ts'

const token = encodeURIComponent(new URLSearchParams(location.search).get('token') ?? '')
/** Whether the token has the format of tokens in letters; if not, the link was truncated. */
const isComplete = /^[\w-]{43}$/.test(token)
const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector)

/** Shows one of the page's parts, hides the others, and moves the focus to the heading of the shown part. */
function show(view: string) {
  for (const part of all('[data-view]')) part.hidden = part.dataset.view !== view
  document.querySelector<HTMLElement>(`[data-view=${view}] h1`)?.focus()
}
show(isComplete ? 'asked' : 'no-link')

const retryButton = document.querySelector<HTMLElement>('[data-view=failed] [data-press]')!

for (const button of all('[data-press]')) {
  button.onclick = () => {
    const pressed = button.dataset.press!
    const isOff = pressed === 'off'
    sendApiRequest(isOff ? 'POST' : 'DELETE', `/api/unsubscribe/${token}`, isOff ? {} : undefined).then(
      () => show(pressed),
      () => {
        retryButton.dataset.press = pressed
        show('failed')
      },
    )
  }
}
