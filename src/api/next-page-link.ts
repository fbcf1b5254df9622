/** The value of a `Link` header that points to a list's next page, for replies that are plain arrays. */
export const nextPageLink = (path: string, query: Record<string, string | number>) =>
  `<${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))}>; rel="next"`
