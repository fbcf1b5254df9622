/**
 * The last part of an address such as `/invite/{code}`, decoded, or as it stands where its percent signs encode nothing: a link that was cut
 * or mistyped is one that the API does not know, never an error of the page. An empty string where the path is `/`.
 */
export function lastPathSegment(pathname: string): string {
  const segment = pathname.split('/').filter(Boolean).at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
