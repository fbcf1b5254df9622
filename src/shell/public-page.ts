/**
 * The only script that every public page loads at once. It fetches the account if the flag or the cookie `known` says that somebody is
 * signed in; otherwise it waits for the first press or key, so that a visitor's page makes no request that the server would refuse.
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

// `BasePage.astro` sets the class from the flag or the cookie before the first paint.
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
