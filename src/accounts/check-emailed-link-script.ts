import { sendApiRequest } from '../client/api.ts'

const element = (name: string) => document.querySelector<HTMLElement>(`[data-link=${name}]`)!
const token = new URLSearchParams(location.search).get('token')?.slice(0, 100)

/**
 * Asks the server whether the emailed link that opened this page is still valid; if not, replaces the form with a message. This is a
 * separate script, so that it runs before the form's code has loaded. If the server does not respond, the form stays, and submitting it
 * shows the error.
 */
async function checkEmailedLink() {
  if (!token) return
  const [form, deadNotice] = [element('form'), element('dead')]
  const { works } = (await sendApiRequest('GET', `/api/links/${form.dataset.kind}/${encodeURIComponent(token)}`)) as { works: boolean }
  if (works) return
  deadNotice.style.minHeight = `${form.offsetHeight}px`
  form.hidden = true
  deadNotice.hidden = false
  deadNotice.querySelector('h2')!.focus()
}
checkEmailedLink().catch(() => {})
