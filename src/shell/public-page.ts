/**
 * The only script that every public page loads at once. It asks who is signed in where the flag or the cookie `known` says that somebody is;
 * otherwise at the first press or key, so that a visitor's page makes no request that the server refuses.
 */
const header = () => import('./header.ts')
const showSignedInUser = () => header().then(h => h.showSignedInUser())
const hasStoredToast = () => {
  try {
    return sessionStorage.getItem('toast') !== null
  } catch {
    return false
  }
}

// `BasePage.astro` sets the class before the first paint, by the flag or the cookie.
if (document.documentElement.classList.contains('signed-in')) showSignedInUser()
else {
  if (hasStoredToast()) header()
  const interaction = new AbortController()
  const onInteraction = () => {
    interaction.abort()
    showSignedInUser()
  }
  const options = { signal: interaction.signal, capture: true, passive: true }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, onInteraction, options)
}
