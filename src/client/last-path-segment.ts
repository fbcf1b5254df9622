/**
 * The last segment of a path such as `/invite/{code}`, decoded. A malformed percent encoding is returned unchanged, so that a truncated or
 * mistyped link becomes a code that the API does not know instead of an exception. Returns an empty string for `/`.
 */
export function lastPathSegment(pathname: string): string {
  const segment = pathname.split('/').filter(Boolean).at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
