import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { onProfilePagesInvalidated } from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { withDeadline } from '../../modules/kernel/with-deadline.ts'
import { ANONYMOUS_VIEWER, publicSlugs, visibleProfileBySlugOrId } from '../../projections/instructor-queries.ts'
import { publicRatingsOfInstructor } from '../../projections/ratings.ts'
import type { CspOrigins } from '../security-headers.ts'
import type { RenderPage } from './astro-renderer.ts'
import { noscriptSignupPageRenderer } from './noscript-signup-page-renderer.ts'
import { profileSlugIn } from './page-paths-and-redirects.ts'
import { buildOnDemandPageResponse, type PageOrRedirect } from './page-responses.ts'

/** A page is rendered again after this time, because the response times that it shows change even if the profile does not. */
const REFRESH_AFTER_MS = 3600_000
/**
 * How old a page may be that a visitor gets while the next one is rendered. Of older pages, parts may no longer be true: an instructor's
 * check, for example, expires without an event.
 */
const MAX_AGE_WHILE_RENDERING_MS = 2 * REFRESH_AFTER_MS
const MAX_KEPT_PAGES = 5000
/** How long each database query for a page, and the rendering of `/start`, may take before the visitor gets an error. */
const MAX_DATABASE_WAIT_MS = 4000

interface CachedPage {
  found: PageOrRedirect | Promise<PageOrRedirect | null>
  /** When the rendering of the page began. */
  asOf: number
  until: number
}

/**
 * Pages that Astro renders while the server runs: profiles, the sitemap, robots.txt and `/start`. Each is rendered on its first request and
 * kept compressed; when a profile changes, every process renders its page again.
 */
export function createPublicPageCache(
  sql: Sql,
  render: RenderPage,
  around: CspOrigins,
  { clock, log, databaseTimeoutMs = MAX_DATABASE_WAIT_MS }: { clock: () => Date; log: Logger; databaseTimeoutMs?: number },
) {
  const pages = new Map<string, CachedPage>()
  const start = noscriptSignupPageRenderer(render, around)
  const { origin } = around

  /** Applies a timeout to a query. Rendering the cached pages has none, because on a busy machine a late page is better than none. */
  const read = <T>(asked: Promise<T>) => withDeadline(databaseTimeoutMs, asked)

  /** Renders the page at a path; null if no such profile exists. */
  async function make(path: string): Promise<PageOrRedirect | null> {
    const slug = profileSlugIn(path)
    if (slug === undefined) {
      const profileSlugs = path === '/sitemap.xml' ? await read(publicSlugs(sql, clock())) : undefined
      return { page: await buildOnDemandPageResponse(await render(path, { origin, profileSlugs }), around) }
    }
    const written = await read(visibleProfileBySlugOrId(sql, slug, ANONYMOUS_VIEWER, clock()))
    if (!written) return null
    const profilePath = `/i/${written.user.profileSlug}`
    // An instructor may switch back to an earlier slug.
    if (profilePath !== path) return { moved: profilePath, mayMoveBack: true }
    const profile = { ...written, ratings: await read(publicRatingsOfInstructor(sql, written.id)) }
    return { page: await buildOnDemandPageResponse(await render(path, { origin, profile }), around) }
  }

  /**
   * Returns the page at a path. A page that was outdated recently is still returned while a new one is rendered; an older one only if
   * rendering fails.
   */
  function page(path: string): PageOrRedirect | Promise<PageOrRedirect | null> {
    const cachedPage = pages.get(path)
    const now = clock().getTime()
    if (cachedPage && cachedPage.until > now) return cachedPage.found
    const renderedPage = make(path)
    const entry: CachedPage = { found: renderedPage, asOf: now, until: now + REFRESH_AFTER_MS }
    if (cachedPage) {
      entry.asOf = cachedPage.asOf
      const isRecent = now - cachedPage.asOf < MAX_AGE_WHILE_RENDERING_MS
      entry.found = isRecent ? cachedPage.found : renderedPage.catch(() => cachedPage.found)
    }
    if (pages.size >= MAX_KEPT_PAGES) pages.clear()
    pages.set(path, entry)
    const forget = () => {
      if (pages.get(path) === entry) pages.delete(path)
    }
    renderedPage.then(
      found => {
        if (!found) return forget()
        entry.found = found
        entry.asOf = now
      },
      error => {
        log.error({ err: error, path }, 'a page could not be made')
        if (!cachedPage) return forget()
        entry.found = cachedPage.found
        entry.until = 0
      },
    )
    return entry.found
  }

  const making = new Set<string>()
  /** Renders a page again after a change. However many changes come while it is being rendered, it is rendered only once more afterward. */
  async function renderAgain(path: string) {
    pages.delete(path)
    if (making.has(path)) return
    making.add(path)
    while (!pages.has(path) && (await Promise.resolve(page(path)).catch(() => null)));
    making.delete(path)
  }

  const listening = onProfilePagesInvalidated(sql, slugs => {
    if (!slugs) return pages.clear()
    pages.delete('/sitemap.xml')
    for (const slug of slugs) renderAgain(`/i/${slug}`)
  })

  return {
    listening,
    stop: () => listening.then(l => l.unlisten()).catch(() => {}),
    /** Paths of the on-demand pages except profiles. */
    paths: new Set(['/start', '/sitemap.xml', '/robots.txt']),
    /** The page at a path; null if no such profile exists, undefined if the path is not an on-demand page. */
    find(path: string, search: string): PageOrRedirect | null | undefined | Promise<PageOrRedirect | null> {
      if (path === '/start') return withDeadline(databaseTimeoutMs, start(search)).then(page => ({ page }))
      return this.paths.has(path) || profileSlugIn(path) !== undefined ? page(path) : undefined
    },
  }
}
export type PublicPageCache = Pick<ReturnType<typeof createPublicPageCache>, 'paths' | 'find'>
