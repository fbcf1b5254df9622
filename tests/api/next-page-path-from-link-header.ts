/** The path that a list's `link` header (RFC 8288) names as its next page, or undefined on the last page. */
export const nextPagePath = (headers: Headers): string | undefined => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
