import type { APIRoute } from 'astro'

// The server renders the sitemap on the first request, and again on the first one after a profile has changed or an hour has passed
// (`src/server/public-page-cache.ts`).
export const prerender = false

/** The pages that search engines should list, besides the profiles. */
const paths = [
  '/',
  '/pricing',
  '/for-parents',
  '/for-coaches',
  '/faq',
  '/auth',
  '/support',
  '/video-format-test',
  '/privacy-policy',
  '/terms-of-service',
]

/** Lists these pages and every published profile. */
export const GET: APIRoute = ({ url, locals: { origin = url.origin, profileSlugs = [] } }) => {
  const profiles = profileSlugs.map(slug => `/i/${slug}`)
  const urls = [...paths, ...profiles].map(path => `  <url><loc>${new URL(path, origin).href}</loc></url>`)
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
    { headers: { 'content-type': 'application/xml' } },
  )
}
