import type { Sql } from 'postgres'
import { allInstructors } from '../../modules/instructors/profiles.ts'
import { pageHeaders, type Surroundings } from '../security.ts'
import { type Page, pack } from './static.ts'
import { escaped } from './template.ts'

/** The pages that search engines should know, besides the profiles. */
const paths = ['/', '/pricing', '/faq', '/auth', '/support', '/video-format-test', '/privacy-policy', '/terms-of-service']

const text = (body: string, type: string, around: Surroundings): Page =>
  pack({ identity: Buffer.from(body) }, { 'content-type': type, 'cache-control': 'no-cache', ...pageHeaders(around) })

/** What may be looked for: everything but the API and what is behind the login. */
export const robots = (around: Surroundings): Page =>
  text(
    [
      'User-agent: *',
      ...['/api/', '/player/', '/instructor/', '/admin/dashboard', '/admin/support-management'].map(path => `Disallow: ${path}`),
      '',
      `Sitemap: ${around.origin}/sitemap.xml`,
      '',
    ].join('\n'),
    'text/plain; charset=utf-8',
    around,
  )

/** Every public page, with every profile that is published now. */
export async function sitemap(sql: Sql, around: Surroundings, now: Date): Promise<Page> {
  const profiles = (await allInstructors(sql, now)).map(({ user }) => `/i/${user.profileSlug}`)
  const urls = [...paths, ...profiles].map(path => `  <url><loc>${escaped(around.origin + path)}</loc></url>`)
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
  return text(body, 'application/xml', around)
}
