import { request } from '../client/api.ts'

const part = (name: string) => document.querySelector<HTMLElement>(`[data-link=${name}]`)!
const token = new URLSearchParams(location.search).get('token')?.slice(0, 100)

/** Says at once that a link is dead, in the place of its form, so that nothing moves. Where that cannot be told the form's answer tells. */
async function look() {
  if (!token) return
  const [form, dead] = [part('form'), part('dead')]
  const { works } = (await request('GET', `/api/links/${form.dataset.kind}/${encodeURIComponent(token)}`)) as { works: boolean }
  if (works) return
  dead.style.minHeight = `${form.offsetHeight}px`
  form.hidden = true
  dead.hidden = false
  dead.querySelector('h2')!.focus()
}
look().catch(() => {})
