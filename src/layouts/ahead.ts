/**
 * What a screen needs is there, or is asked for, while its scripts are on their way: this goes into the page itself, as the text of an
 * inline script. A page that came with its answers (`Told`) gives them, once each, to the first `fetch` of their paths; another asks now,
 * and gives what comes the same way; what came badly is asked for again. The stills of a folder's videos come right behind it. `paths`: as in
 * `asks.ts`. Nothing is asked where nobody is signed in.
 *
 * What only this device knows (a logout that the server has not heard of, an upload that broke off) has no place in a page that came with its
 * answers: the cookie `plain` asks for one without. The cookie `zone` says in which time zone it is looked at.
 */
export const ahead = (paths: readonly string[]) => `
if (document.documentElement.classList.contains('signed-in')) try {
  const { fetch } = window
  const { dataset, style } = document.documentElement
  const asked = {}
  const seen = sessionStorage.getItem('position')
  const session = new URLSearchParams(location.search).get('session')
  const id = location.pathname.split('/').filter(Boolean).at(-1)
  const left = localStorage.getItem('logout')
  const testing = localStorage.getItem('devTesting') === 'enabled'
  const keep = (name, value) => (document.cookie = name + '=' + value + '; Path=/; SameSite=Lax' + (location.protocol === 'https:' ? '; Secure' : '') + (value ? '; Max-Age=34560000' : '; Max-Age=0'))
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  if (!document.cookie.includes('zone=' + timeZone)) keep('zone', timeZone)
  const own = left || testing || (localStorage.getItem('unfinished-uploads') ?? '{}') !== '{}'
  if (own !== /plain=1/.test(document.cookie)) keep('plain', own ? 1 : '')
  if (own && 'told' in dataset) {
    style.display = 'none'
    location.reload()
  } else if (!left && !testing) {
    const still = clip => clip.poster && (new Image().src = clip.poster)
    const look = async reply => (await reply).clone().json()
    if (!('told' in dataset)) for (const path of ${JSON.stringify(['/api/user', ...paths])}) {
      const whole = path.replace('{id}', id) + (path.includes('{id}') && session ? '?session=' + encodeURIComponent(session) : '')
      asked[whole] = fetch(whole, { credentials: 'include', headers: { Accept: 'application/json', ...(seen && { 'x-seen': seen }) } })
      asked[whole].catch(() => {})
      if (path.includes('{id}')) look(asked[whole]).then(f => [...(f.session?.clips ?? []), ...f.clips].forEach(still)).catch(() => {})
    }
    const told = () => JSON.parse(JSON.parse(document.querySelector('main astro-island').getAttribute('props')).told[1]).answers
    let given
    window.fetch = (path, init) => {
      if ('told' in dataset && !given) {
        given = told()
        for (const path in given) asked[path] = Promise.resolve(new Response(JSON.stringify(given[path]), { headers: { 'content-type': 'application/json' } }))
      }
      const reply = init?.method === 'GET' ? asked[path] : undefined
      delete asked[path]
      return reply ? reply.catch(() => fetch(path, init)) : fetch(path, init)
    }
  }
} catch {}
`
