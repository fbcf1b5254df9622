import { initials } from './profile-picture-url-and-initials.ts'

/** If the image of a `ProfilePicture.astro` does not load, shows the initials of `name` instead, or a silhouette if `name` is empty. */
export function fallBackToInitials(image: HTMLImageElement, name = image.alt) {
  image.onerror = () => {
    const place = image.nextElementSibling as HTMLElement
    const letters = initials(name)
    if (letters) place.textContent = letters
    image.hidden = true
    place.hidden = false
  }
}
