import type { APIRoute } from 'astro'

/** The pages that search engines should know; profiles are found from the landing page. */
const paths = ['/', '/pricing', '/faq', '/auth', '/support', '/privacy-policy', '/terms-of-service']

export const GET: APIRoute = ({ site }) =>
  new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${paths
      .map(path => `  <url><loc>${new URL(path, site).href}</loc></url>`)
      .join('\n')}\n</urlset>\n`,
    { headers: { 'content-type': 'application/xml' } },
  )
