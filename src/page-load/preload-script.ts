import type { PreloadedResponses } from './preloaded-responses-interface.ts'

/**
 * Runs as an inline script in the head of a signed-in page, before any script file arrives. It stores in cookies what the server needs to
 * render the next page. It sets `preloadedQueries` to the responses that the server rendered into this page, or else requests the data.
 * Only this function's source text reaches the browser, so it must not refer to anything outside of itself.
 */
function preloadPage(paths: readonly string[]) {
  const { classList, dataset, style } = document.documentElement
  if (!classList.contains('signed-in')) return
  const isPreloaded = 'preloaded' in dataset
  const hasPendingLogout = localStorage.getItem('logout') !== null
  const isTesting = localStorage.getItem('devTesting') === 'enabled'
  const hasUnfinishedUploads = (localStorage.getItem('unfinished-uploads') ?? '{}') !== '{}'

  const setCookie = (name: string, value: string) => {
    const secure = location.protocol === 'https:' ? '; Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has a cookie store
    document.cookie = `${name}=${value}; Path=/; SameSite=Lax${secure}; Max-Age=${value ? 34560000 : 0}`
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  if (!document.cookie.split('; ').includes(`zone=${timeZone}`)) setCookie('zone', timeZone)
  // A pending logout, the test mode and unfinished uploads are known only to this device, so the server could not render a correct page.
  // The `plain` cookie makes it send the page without data.
  const needsPlainPage = hasPendingLogout || isTesting || hasUnfinishedUploads
  if (needsPlainPage !== /plain=1/.test(document.cookie)) setCookie('plain', needsPlainPage ? '1' : '')
  if (needsPlainPage && isPreloaded) {
    style.display = 'none'
    location.reload()
    return
  }
  if (hasPendingLogout || isTesting) return

  const responses = new Map<string, Promise<Response | undefined>>()
  let hasReadAnswers = false
  /** Reads the responses that the server rendered into the page. Astro serializes the props of an island as `{ name: [type, value] }`. */
  const readRenderedAnswers = () => {
    hasReadAnswers = true
    const island = document.querySelector('main astro-island')!
    const { answers } = JSON.parse(JSON.parse(island.getAttribute('props')!).preloaded[1])
    const headers = { 'content-type': 'application/json' }
    for (const path in answers) responses.set(path, Promise.resolve(new Response(JSON.stringify(answers[path]), { headers })))
  }
  const preloadedQueries: PreloadedResponses = {
    take(path) {
      if (isPreloaded && !hasReadAnswers) readRenderedAnswers()
      const response = responses.get(path)
      responses.delete(path)
      return response
    },
  }
  globalThis.preloadedQueries = preloadedQueries
  if (isPreloaded) return
  const id = location.pathname.split('/').filter(Boolean).at(-1) ?? ''
  const session = new URLSearchParams(location.search).get('session')
  const minPosition = sessionStorage.getItem('position')
  const headers = { Accept: 'application/json', ...(minPosition && { 'x-seen': minPosition }) }
  for (const path of paths) {
    const isFolder = path.includes('{id}')
    const query = path.replace('{id}', id) + (isFolder && session ? `?session=${encodeURIComponent(session)}` : '')
    const response = fetch(query, { credentials: 'include', headers })
    responses.set(
      query,
      response.catch(() => undefined),
    )
    // Requests the posters of a folder's videos as soon as the folder's data arrives.
    response
      .then(async reply => {
        if (!isFolder) return
        const { session, clips } = await reply.clone().json()
        for (const { poster } of [...(session?.clips ?? []), ...clips]) if (poster) new Image().src = poster
      })
      .catch(() => {})
  }
}

/**
 * The inline script for a page that needs these queries (`page-queries.ts`) and the account. If the browser blocks storage, nothing is
 * preloaded.
 */
export const preloadScript = (paths: readonly string[]) => `try{(${preloadPage})(${JSON.stringify(['/api/user', ...paths])})}catch{}`
