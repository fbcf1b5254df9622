/**
 * What a screen needs is asked for while its scripts are on their way: this goes into the page itself, as the text of an inline script. Each
 * answer is given, once, to the first `fetch` of the same path; one that came badly is asked for again. The stills of a folder's videos come
 * right behind it. `{id}` is the last part of the page's address, whose `?session=` goes along. Nothing is asked where nobody is signed in.
 */
export const ahead = (paths: readonly string[]) => `
if (document.documentElement.classList.contains('signed-in')) try {
  const { fetch } = window
  const asked = {}
  const seen = sessionStorage.getItem('position')
  const session = new URLSearchParams(location.search).get('session')
  const id = location.pathname.split('/').filter(Boolean).at(-1)
  const still = clip => clip.poster && (new Image().src = clip.poster)
  const look = async reply => (await reply).clone().json()
  if (localStorage.getItem('devTesting') !== 'enabled' && !localStorage.getItem('logout')) {
    for (const path of ${JSON.stringify(['/api/user', ...paths])}) {
      const whole = path.replace('{id}', id) + (path.includes('{id}') && session ? '?session=' + encodeURIComponent(session) : '')
      asked[whole] = fetch(whole, { credentials: 'include', headers: { Accept: 'application/json', ...(seen && { 'x-seen': seen }) } })
      asked[whole].catch(() => {})
      if (path.includes('{id}')) look(asked[whole]).then(f => [...(f.session?.clips ?? []), ...f.clips].forEach(still)).catch(() => {})
    }
    window.fetch = (path, init) => {
      const reply = init?.method === 'GET' ? asked[path] : undefined
      delete asked[path]
      return reply ? reply.catch(() => fetch(path, init)) : fetch(path, init)
    }
  }
} catch {}
`
