import type { IncomingMessage, ServerResponse } from 'node:http'
import { commonWebsiteHeaders } from '../security-headers.ts'
import { findPageForPathWithId, redirectFor } from './page-paths-and-redirects.ts'
import { type PageOrRedirect, plainTextPage, type SiteFiles, sendPage } from './page-responses.ts'
import type { PreloadedPageFinder } from './pages-with-preloaded-data.ts'
import type { PublicPageCache } from './public-page-cache.ts'
import type { UnpublishedProfilePreviewRenderer } from './unpublished-profile-preview-page.ts'

const notFoundPage = (site: SiteFiles): PageOrRedirect => ({ page: site.missing, status: 404 })

/**
 * The page or redirect for a path: the landing page, a page rendered on demand, a redirect, a personal page, a static page, or the 404
 * page, in this order.
 */
function find(
  site: SiteFiles,
  publicPageCache: PublicPageCache,
  preloadedPages: PreloadedPageFinder,
  req: IncomingMessage,
  path: string,
  search: string,
  preview?: UnpublishedProfilePreviewRenderer,
): PageOrRedirect | Promise<PageOrRedirect> {
  if (path === '/') {
    const page = site.at('/')
    return page ? { page, phone: site.phone } : notFoundPage(site)
  }
  const own = publicPageCache.find(path, search)
  if (own !== undefined) {
    const orPreview = async () => (await preview?.(path, req)) ?? notFoundPage(site)
    return own instanceof Promise ? own.then(found => found ?? orPreview()) : (own ?? orPreview())
  }
  const redirectTo = redirectFor(path, p => publicPageCache.paths.has(p) || preloadedPages.paths.includes(p) || site.at(p) !== undefined)
  if (redirectTo) return { moved: redirectTo }
  const screen = preloadedPages.find(path, search, req)
  if (screen) return screen
  const page = site.at(path) ?? site.at(findPageForPathWithId(path) ?? '')
  return page ? { page } : notFoundPage(site)
}

/** Handles requests for everything but the API. It writes directly to Node's response, which makes it almost as fast as a file server. */
export function websiteHandler(
  site: SiteFiles,
  publicPageCache: PublicPageCache,
  preloadedPages: PreloadedPageFinder,
  preview?: UnpublishedProfilePreviewRenderer,
) {
  const notAllowed = plainTextPage('Only GET and HEAD are answered here.', site.around, { allow: 'GET, HEAD' })
  const unavailable = plainTextPage('This page is not available right now. Try again in a moment.', site.around)
  const redirectHeaders = (caching: string) =>
    Object.entries({ ...commonWebsiteHeaders(site.around), 'cache-control': caching, 'content-length': '0' }).flat()
  const [cacheable, uncacheable] = [redirectHeaders('public, max-age=3600'), redirectHeaders('no-cache')]
  return (req: IncomingMessage, res: ServerResponse) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      return sendPage(req, res, { page: notAllowed, status: 405 })
    }
    const url = req.url ?? '/'
    const cut = url.indexOf('?')
    const [path, search] = cut < 0 ? [url, ''] : [url.slice(0, cut), url.slice(cut)]
    const answer = (what: PageOrRedirect) => {
      if ('moved' in what) res.writeHead(301, [...(what.mayMoveBack ? uncacheable : cacheable), 'location', what.moved + search]).end()
      else sendPage(req, res, what)
    }
    const foundPage = find(site, publicPageCache, preloadedPages, req, path, search, preview)
    if (!(foundPage instanceof Promise)) return answer(foundPage)
    foundPage.then(answer, () => sendPage(req, res, { page: unavailable, status: 503 }))
  }
}
