/**
 * The only script of ours that every public page loads at once. Who is signed in is asked at once where the flag, or the cookie that comes
 * with a session, says that somebody is; otherwise at the first touch or key, so that a visitor's page makes no request that is refused.
 */
const header = () => import('./header.ts')
const greet = () => header().then(h => h.showSignedInUser())
const told = () => {
  try {
    return sessionStorage.getItem('toast')
  } catch {
    return null
  }
}

// Set before anything is shown (`BasePage.astro`), by the flag or the cookie.
if (document.documentElement.classList.contains('signed-in')) greet()
else {
  if (told()) header()
  const first = new AbortController()
  const touched = () => {
    first.abort()
    greet()
  }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, touched, { signal: first.signal, capture: true, passive: true })
}
