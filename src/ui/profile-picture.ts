const defaultPicture = '/img/default-profile.jpeg'

/**
 * Where a profile picture is. A bare file name lies in /uploads/profile/; a path stays as it is; an address of the
 * object storage too. Nothing, or the instructor with id 3, is the default picture.
 */
export function profilePictureUrl(picture: string | null | undefined, instructor?: string | number): string {
  if (!picture || String(instructor) === '3') return defaultPicture
  if (picture.startsWith('/') || /^https?:/.test(picture)) return picture
  return `/uploads/profile/${picture}`
}

/** Up to two initials; none when there is no name. */
export const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => [...word][0]!.toUpperCase())
    .join('')
