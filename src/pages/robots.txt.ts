import type { APIRoute } from 'astro'

// Names the address of the sitemap, which is known when the server runs.
export const prerender = false

/** What may be looked for: everything but the API and what is behind the login. */
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
