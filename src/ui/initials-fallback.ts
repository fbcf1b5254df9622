import { initials } from './profile-picture.ts'

/** Where a picture of `ProfilePicture.astro` does not load, initials or a figure take its place. */
export function fallBackToInitials(image: HTMLImageElement, name = image.alt) {
  image.onerror = () => {
    const place = image.nextElementSibling as HTMLElement
    const letters = initials(name)
    if (letters) place.textContent = letters
    image.hidden = true
    place.hidden = false
  }
}
