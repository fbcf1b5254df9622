import { initials } from './profile-picture-url-and-initials.ts'

/** Replaces a `ProfilePicture.astro` that fails to load with the initials of `name`, or with a silhouette. */
export function fallBackToInitials(image: HTMLImageElement, name = image.alt) {
  image.onerror = () => {
    const place = image.nextElementSibling as HTMLElement
    const letters = initials(name)
    if (letters) place.textContent = letters
    image.hidden = true
    place.hidden = false
  }
}
