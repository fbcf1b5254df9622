/** The value of a `link` header that names a list's following page, for replies that are plain arrays. */
export const nextPageLink = (path: string, query: Record<string, string | number>) =>
  `<${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))}>; rel="next"`
