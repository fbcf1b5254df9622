import { initials } from './profile-picture.ts'

/** Shows the initials of `name`, or a figure, in place of a `ProfilePicture.astro` whose picture does not load. */
export function fallBackToInitials(image: HTMLImageElement, name = image.alt) {
  image.onerror = () => {
    const place = image.nextElementSibling as HTMLElement
    const letters = initials(name)
    if (letters) place.textContent = letters
    image.hidden = true
    place.hidden = false
  }
}
