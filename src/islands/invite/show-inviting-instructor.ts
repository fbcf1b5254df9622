import { type Reply, sendApiRequest } from '../../client/api.ts'
import { isNotFound } from '../../client/is-not-found.ts'
import { lastPathSegment } from '../../client/last-path-segment.ts'
import type { User } from '../../client/login-session.ts'
import { forgetInviteCode } from '../../instructors/current-invite-code.ts'
import { profilePictureUrl } from '../../ui/profile-picture-url-and-initials.ts'
import { fallBackToInitials } from '../../ui/replace-broken-image-with-initials.ts'

type Inviting = Reply<'GET /api/instructors/by-invite/{inviteCode}'>

const element = <E extends HTMLElement>(name: string) => document.querySelector<E>(`[data-invite=${name}]`)!
const code = lastPathSegment(location.pathname)
let isDead = false
let isPlayer = false

async function showInvitation() {
  try {
    const { user, profilePicture, id, tagline } = (await sendApiRequest(
      'GET',
      `/api/instructors/by-invite/${encodeURIComponent(code)}`,
    )) as Inviting
    const name = `${user.firstName} ${user.lastName}`.trim()
    element('name').textContent = name || 'Your instructor'
    const image = element<HTMLImageElement>('picture')
    image.src = profilePictureUrl(profilePicture, id)
    fallBackToInitials(image, name)
    if (tagline) showTagline(tagline, name)
  } catch (error) {
    isDead = isNotFound(error)
    if (isDead) forgetInviteCode()
    element('failed').textContent = isDead
      ? 'Failed to fetch instructor: this invitation is no longer valid. Create your account anyway and find your instructor by name, or ask them for a new link.'
      : 'Failed to fetch instructor. Your invitation may still work. Continue, and we will check it again.'
    element('promise').hidden = true
    element('failed').hidden = false
    offerConnection()
  }
}

/** Shows the tagline as a quotation from the instructor, unless the page already shows the testimonial from `site.ts`. */
function showTagline(tagline: string, name: string) {
  const testimonial = element('testimonial')
  if (!testimonial.hidden) return
  element('quote').textContent = `“${tagline}”`
  element('quoted').textContent = name
  testimonial.hidden = false
}

/** Lets a signed-in player connect instead of registering, or search for the instructor if the invitation is invalid. */
function offerConnection() {
  if (!isPlayer) return
  const start = element<HTMLAnchorElement>('start')
  start.href = isDead ? '/player/connect-instructor' : `/player/connect-instructor?invite=${encodeURIComponent(code)}`
  start.textContent = isDead ? 'Find your instructor' : 'Connect now'
  element('login').hidden = true
}

// The page's inline script has already stored the code and added it to the link, so that a tap before this script has loaded works.
addEventListener('signed-in', e => {
  isPlayer = (e as CustomEvent<User>).detail.role === 'player'
  offerConnection()
})
showInvitation()
