import { readStorageText } from '../client/read-stored-text.ts'

/**
 * The only script that every public page loads immediately. It fetches the account if `isLoggedIn` in localStorage or the cookie `known`
 * says that somebody is signed in; otherwise it waits for the first press or keystroke, so that a visitor's page makes no request that the
 * server would refuse.
 */
const header = () => import('./header-account-chat-and-logout.ts')
const showSignedInUser = () => header().then(h => h.showSignedInUser())
const hasStoredToast = () => readStorageText('sessionStorage', 'toast') !== null

// Before the first paint, a script in `BasePage.astro` sets this class if localStorage or the cookie says that somebody is signed in.
if (document.documentElement.classList.contains('signed-in')) showSignedInUser()
else {
  if (hasStoredToast()) header()
  const interaction = new AbortController()
  const onInteraction = () => {
    interaction.abort()
    showSignedInUser()
  }
  const options = { signal: interaction.signal, capture: true }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, onInteraction, options)
}
