import { request } from '../client/api.ts'

const element = (name: string) => document.querySelector<HTMLElement>(`[data-link=${name}]`)!
const token = new URLSearchParams(location.search).get('token')?.slice(0, 100)

/**
 * Asks the server whether the link in the address still works, and if not, shows that in the place of the form. A script of its own, so that
 * it runs before the form's code has loaded. Where the server does not answer, the form stays and its own answer tells.
 */
async function checkLink() {
  if (!token) return
  const [form, deadNotice] = [element('form'), element('dead')]
  const { works } = (await request('GET', `/api/links/${form.dataset.kind}/${encodeURIComponent(token)}`)) as { works: boolean }
  if (works) return
  deadNotice.style.minHeight = `${form.offsetHeight}px`
  form.hidden = true
  deadNotice.hidden = false
  deadNotice.querySelector('h2')!.focus()
}
checkLink().catch(() => {})
