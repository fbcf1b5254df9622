import type { APIRoute } from 'astro'

// robots.txt contains the sitemap's URL, whose origin is known only when the server runs.
export const prerender = false

/** Keeps crawlers away from the API and from most screens behind the login; `noindex` keeps the other screens out of search results. */
export const GET: APIRoute = ({ url, locals: { origin = url.origin } }) =>
  new Response(
    [
      'User-agent: *',
      ...['/api/', '/player/', '/instructor/', '/admin/dashboard', '/admin/support-management', '/admin/system'].map(
        path => `Disallow: ${path}`,
      ),
      '',
      `Sitemap: ${origin}/sitemap.xml`,
      '',
    ].join('\n'),
    { headers: { 'content-type': 'text/plain; charset=utf-8' } },
  )
