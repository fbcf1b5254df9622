import { request } from '../../client/api.ts'

const part = (name: string) => document.querySelector<HTMLElement>(`[data-link=${name}]`)!
const token = new URLSearchParams(location.search).get('token')?.slice(0, 100)

/** Says at once that a link is dead. Where that cannot be told the form stays, and its answer tells. */
async function look() {
  const { kind } = part('form').dataset
  const { works } = token
    ? ((await request('GET', `/api/links/${kind}/${encodeURIComponent(token)}`)) as { works: boolean })
    : { works: false }
  if (works) return
  part('form').hidden = true
  part('dead').hidden = false
  part('dead').querySelector('h2')!.focus()
}
look().catch(() => {})
