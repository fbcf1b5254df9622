import { $user, dashboardPath, hasSentSignIn, loadSignedInUser, logout, type User } from '../client/login-session.ts'
import { runWhenIdle } from '../client/run-when-idle.ts'
import { initials, profilePictureUrl } from '../ui/profile-picture-url-and-initials.ts'
import { restoreToast } from '../ui/toast.ts'

const all = <E extends HTMLElement>(selector: string) => [...document.querySelectorAll<E>(selector)]

/** Shows the signed-in account in the static HTML header, and dispatches the event `signed-in`. */
function fillHeader(user: User) {
  document.documentElement.classList.add('signed-in')
  const name = `${user.firstName} ${user.lastName}`
  for (const at of all('[data-user=hi]')) at.textContent = `Hi, ${user.firstName}`
  for (const at of all('[data-user=name]')) at.textContent = name
  for (const link of all<HTMLAnchorElement>('a[data-signed-in]')) link.href = link.dataset.signedIn!
  for (const at of all('[data-role]')) at.hidden = at.dataset.role !== user.role
  for (const image of all<HTMLImageElement>('img[data-user=picture]')) {
    image.onerror = () => {
      const letters = document.createElement('span')
      letters.className = `${image.className} inline-grid place-items-center text-13 font-medium text-field`
      letters.textContent = initials(name)
      image.replaceWith(letters)
    }
    image.src = profilePictureUrl(user.profilePicture)
  }
  document.documentElement.classList.add('known')
  // Instructors also write reviews offline. Load the dialog that warns about unsent work in advance, so that it opens offline, too.
  if (user.role === 'instructor' && document.body.dataset.guarded !== undefined)
    runWhenIdle(() => loadLogout().catch(() => {}), { timeout: 5000 })
  dispatchEvent(new CustomEvent('signed-in', { detail: user }))
}

$user.subscribe(user => {
  if (user) fillHeader(user)
  else if (user === null) document.documentElement.classList.remove('signed-in')
})
// If the chat does not load, the notice of `BasePage.astro` asks the visitor to reload the page.
const showNotLoaded = () => dispatchEvent(new Event('astro:hydration-error'))
for (const button of all('[data-chat]'))
  button.onclick = () => import('../chat/mount-and-toggle-support-chat.tsx').then(chat => chat.toggleSupportChat(button), showNotLoaded)
const loadLogout = () => import('./logout-and-clear-device.tsx')
// Without a connection the dialog's script may fail to load. The fallback `logout` only signs out and leaves unsent work on the device.
for (const button of all('[data-logout]'))
  button.onclick = () => loadLogout().then(({ logoutAndClearDevice }) => logoutAndClearDevice(), logout)
restoreToast()
// Replays a press on one of these buttons from before this script loaded: the inline script in `BasePage.astro` stored the button.
;(window as { early?: HTMLElement }).early?.click()

/**
 * Fetches the signed-in account and shows it in the header. A visitors-only page (`data-visitors-only`) redirects to the dashboard after
 * 50 ms, unless its own form has just signed the user in: that form navigates by itself.
 */
export async function showSignedInUser() {
  const user = await loadSignedInUser().catch(() => null)
  if (user && document.body.dataset.visitorsOnly !== undefined)
    setTimeout(() => hasSentSignIn() || location.replace(dashboardPath(user.role)), 50)
}
