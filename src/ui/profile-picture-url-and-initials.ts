const defaultPicture = '/img/default-profile.jpeg'

/**
 * The URL of a profile picture. A bare file name refers to /uploads/profile/; paths and object-storage URLs are returned unchanged. A
 * missing picture yields the default picture, and so does the instructor with id 3 (section 2 of the specification, "Avatar").
 */
export function profilePictureUrl(picture: string | null | undefined, instructor?: string | number): string {
  if (!picture || String(instructor) === '3') return defaultPicture
  if (picture.startsWith('/') || /^https?:/.test(picture)) return picture
  return `/uploads/profile/${picture}`
}

/** Up to two initials; an empty string for an empty name. */
export const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => [...word][0]!.toUpperCase())
    .join('')
