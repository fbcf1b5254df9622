import type { Instructor } from '../../../modules/instructors/contract.ts'
import { sendApiRequest } from '../../client/api.ts'
import { isMobileOrNarrowWindow } from '../../client/is-mobile-or-narrow-window.ts'
import { instructorTitleForSports, skillBadgeTexts } from '../../instructors/sport-and-skill-labels.ts'
import { profilePictureUrl } from '../../ui/profile-picture-url-and-initials.ts'
import { fallBackToInitials } from '../../ui/replace-broken-image-with-initials.ts'

const MAX_INSTRUCTORS = 6
const find = <E extends HTMLElement>(selector: string, within: ParentNode = document) => within.querySelector<E>(selector)!

/** Scrolls to the sign-up form and shows its email step. */
function returnToEmailStep() {
  dispatchEvent(new Event('email-step'))
  find('#start').scrollIntoView({ block: 'center' })
  find('#start-email').focus({ preventScroll: true })
}

function instructorCard(template: HTMLTemplateElement, { id, user, profilePicture, type, skills }: Instructor) {
  const copy = template.content.cloneNode(true) as DocumentFragment
  const name = `${user.firstName} ${user.lastName}`
  const image = find<HTMLImageElement>('img', copy)
  image.alt = name
  image.src = profilePictureUrl(profilePicture, id)
  fallBackToInitials(image)
  find('[data-name]', copy).textContent = name
  find('[data-sport]', copy).textContent = instructorTitleForSports(type)
  const badge = find('[data-badge]', copy)
  for (const text of skillBadgeTexts(skills, isMobileOrNarrowWindow() ? 2 : 3)) {
    const one = badge.cloneNode() as HTMLElement
    one.textContent = text
    badge.before(one)
  }
  badge.remove()
  const view = find<HTMLAnchorElement>('[data-view]', copy)
  view.href = `/instructor/profile/${user.profileSlug ?? id}`
  view.setAttribute('aria-label', `View Profile of ${name}`)
  const button = find('[data-connect]', copy)
  button.setAttribute('aria-label', `Connect with ${name}`)
  button.onclick = returnToEmailStep
  return copy
}

function showView(view: string) {
  for (const one of document.querySelectorAll<HTMLElement>('[data-instructors]')) one.hidden = one.dataset.instructors !== view
}

/** Fills the grid of top instructors, which are fetched on every visit to the landing page. */
async function fill(grid: HTMLElement) {
  let view = 'failed'
  // A second try hides its button, so that nobody can start two at once.
  showView('waiting')
  try {
    const list = (await sendApiRequest('GET', '/api/instructors')) as Instructor[]
    const template = find<HTMLTemplateElement>('#instructor-card')
    grid.append(...list.slice(0, MAX_INSTRUCTORS).map(i => instructorCard(template, i)))
    view = list.length ? 'full' : 'empty'
  } catch {
    // `view` stays `failed`: the page shows an error with a button to try again.
  }
  showView(view)
}

const grid = find('[data-instructors=full]')
fill(grid)
find('[data-retry]').onclick = () => fill(grid)
