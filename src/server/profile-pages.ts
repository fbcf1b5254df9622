import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { Profile } from '../../modules/instructors/contract.ts'
import { onChanged, profileOf } from '../../modules/instructors/profiles.ts'
import { responseHours } from '../../projections/responses.ts'
import { answersWithin, skillName, sportLabel } from '../islands/instructors/labels.ts'
import type { Surroundings } from '../security.ts'
import { documentTitle, site } from '../site.ts'
import { type Found, packHtml } from './static.ts'
import { escaped, fill } from './template.ts'
import type { Profiles } from './website.ts'

/** What is measured changes without a profile's change; its page is made anew after so long, ms. */
const FRESH = 3600_000
const KEPT = 5000
/** Brotli: nearly the smallest, in a few milliseconds. */
const QUALITY = 9

/** Pages of instructors, made from the built template when a profile changes, kept packed, and dropped in every process by the change. */
export function profilePages(sql: Sql, template: string, around: Surroundings, o: { clock: () => Date; log: Logger }) {
  const pages = new Map<string, { found: Found | Promise<Found | null>; until: number }>()

  async function render(slug: string): Promise<Found | null> {
    const written = await profileOf(sql, slug, o.clock())
    if (!written) return null
    const own = written.user.profileSlug!
    if (own !== slug) return { moved: `/i/${own}` }
    const profile = { ...written, responseHours: await responseHours(sql, written.id) }
    return { page: await packHtml(profilePage(template, profile, around.origin), around, QUALITY) }
  }

  const page: Profiles = slug => {
    const kept = pages.get(slug)
    if (kept && kept.until > Date.now()) return kept.found
    const found = render(slug)
    const entry: { found: Found | Promise<Found | null>; until: number } = { found, until: Date.now() + FRESH }
    if (pages.size >= KEPT) pages.clear()
    pages.set(slug, entry)
    const forget = () => {
      if (pages.get(slug) === entry) pages.delete(slug)
    }
    found.then(made => {
      if (made) entry.found = made
      else forget()
    }, forget)
    return found
  }

  const listening = onChanged(sql, slugs => {
    if (!slugs) return pages.clear()
    for (const slug of slugs) {
      pages.delete(slug)
      Promise.resolve(page(slug)).catch(error => o.log.error({ err: error, slug }, 'a profile page could not be made'))
    }
  })
  return { page, listening, stop: () => listening.then(l => l.unlisten()).catch(() => {}) }
}

/** The page of a profile, from its template. */
export function profilePage(template: string, profile: Profile, origin: string): string {
  const { user, type, skills, about, experience, followers } = profile
  const name = `${user.firstName} ${user.lastName}`
  const sport = sportLabel(type)
  const url = `${origin}/i/${user.profileSlug}`
  const picture = profile.profilePicture ? `/uploads/profile/${profile.profilePicture}` : '/img/default-profile.jpeg'
  const slots = {
    ...{ id: profile.id, name, picture, sport, about, experience },
    response: answersWithin(profile.responseHours) ?? '',
    followers: followers ? `${followers.toLocaleString('en-US')} ${followers === 1 ? 'player follows' : 'players follow'}` : '',
  }
  const title = documentTitle(`${name}, ${sport}`)
  const description = summary(about) || `${name} is a ${sport.toLowerCase()} on ${site.name}: ${skills.map(skillName).join(', ')}.`
  const image = origin + (profile.profilePicture ? picture : '/img/social.png')
  const data = {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    dateCreated: profile.since,
    mainEntity: {
      '@type': 'Person',
      ...{ '@id': url, url, name, description, image: origin + picture, jobTitle: sport, knowsAbout: skills.map(skillName) },
      worksFor: { '@type': 'Organization', name: site.name, url: origin },
      interactionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/FollowAction',
        userInteractionCount: followers,
      },
    },
  }
  const meta = (key: 'name' | 'property', of: string, content: string) => `<meta ${key}="${of}" content="${escaped(content)}">`
  const head = [
    `<title>${escaped(title)}</title>`,
    meta('name', 'description', description),
    `<link rel="canonical" href="${escaped(url)}">`,
    meta('property', 'og:type', 'profile'),
    meta('property', 'og:site_name', site.name),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', url),
    meta('property', 'og:image', image),
    meta('property', 'profile:first_name', user.firstName),
    meta('property', 'profile:last_name', user.lastName),
    meta('name', 'twitter:card', profile.profilePicture ? 'summary' : 'summary_large_image'),
    // A `<` could end the script; escaped, it is the same JSON.
    `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  ].join('')
  return fill(template, slots, { skills: skills.map(skill => ({ skill: skillName(skill) })) }, { head })
}

/** The first words of a text, at most 155 characters, ending with a word. */
function summary(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 155 ? line : `${line.slice(0, 155).replace(/\s\S*$/, '')}…`
}
