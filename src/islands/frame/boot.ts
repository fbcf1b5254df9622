/**
 * The only script of ours that every page loads at once. Who is signed in is asked at once where the flag, or the cookie that comes
 * with a session, says that somebody is, or the page needs it; otherwise at the first touch or key, so that a visitor's page makes
 * no request that is refused.
 */
const { dataset } = document.body
// The page may have been built last year.
for (const year of document.querySelectorAll('[data-year]')) year.textContent = String(new Date().getFullYear())
const header = () => import('./header.ts')
const greet = () => header().then(h => h.greet())
const told = () => {
  try {
    return sessionStorage.getItem('toast')
  } catch {
    return null
  }
}

// Set before anything is shown (`Base.astro`), by the flag or the cookie.
if (document.documentElement.classList.contains('signed-in') || dataset.guarded !== undefined) greet()
else {
  if (told()) header()
  const first = new AbortController()
  const touched = () => {
    first.abort()
    greet()
  }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, touched, { signal: first.signal, capture: true, passive: true })
}
