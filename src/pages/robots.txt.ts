import type { APIRoute } from 'astro'

export const GET: APIRoute = ({ site }) =>
  new Response(
    [
      'User-agent: *',
      'Disallow: /api/',
      'Disallow: /player/',
      'Disallow: /instructor/',
      'Disallow: /admin/dashboard',
      'Disallow: /admin/support-management',
      '',
      `Sitemap: ${new URL('/sitemap.xml', site)}`,
      '',
    ].join('\n'),
  )
