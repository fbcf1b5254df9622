import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageHeaders } from '../security-headers.ts'
import type { OnDemandPages } from './on-demand-pages.ts'
import type { PersonalPages } from './personal-pages.ts'
import { prerenderedPageOf, redirectFor } from './redirects.ts'
import { type PageOrRedirect, plainTextPage, type SiteFiles, sendPage } from './site-files.ts'
import type { UnpublishedProfileRenderer } from './unpublished-profile-page.ts'

const nothing = (site: SiteFiles): PageOrRedirect => ({ page: site.missing, status: 404 })

/** Finds the answer for a path of the website. */
function find(
  site: SiteFiles,
  made: OnDemandPages,
  screens: PersonalPages,
  req: IncomingMessage,
  path: string,
  search: string,
  preview?: UnpublishedProfileRenderer,
): PageOrRedirect | Promise<PageOrRedirect> {
  if (path === '/') {
    const page = site.at('/')
    return page ? { page, phone: site.phone } : nothing(site)
  }
  const own = made.find(path, search)
  if (own !== undefined) {
    const orPreview = async () => (await preview?.(path, req)) ?? nothing(site)
    return own instanceof Promise ? own.then(found => found ?? orPreview()) : (own ?? orPreview())
  }
  const moved = redirectFor(path, p => made.paths.has(p) || screens.paths.includes(p) || site.at(p) !== undefined)
  if (moved) return { moved }
  const screen = screens.find(path, search, req)
  if (screen) return screen
  const page = site.at(path) ?? site.at(prerenderedPageOf(path) ?? '')
  return page ? { page } : nothing(site)
}

/** Handles requests for everything but the API. It writes directly to Node's response, which makes it almost as fast as a file server. */
export function websiteHandler(site: SiteFiles, made: OnDemandPages, screens: PersonalPages, preview?: UnpublishedProfileRenderer) {
  const notAllowed = plainTextPage('Only GET and HEAD are answered here.', site.around, { allow: 'GET, HEAD' })
  const unavailable = plainTextPage('This page is not available right now. Try again in a moment.', site.around)
  const moving = Object.entries({ ...pageHeaders(site.around), 'cache-control': 'public, max-age=3600', 'content-length': '0' }).flat()
  return (req: IncomingMessage, res: ServerResponse) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      return sendPage(req, res, { page: notAllowed, status: 405 })
    }
    const url = req.url ?? '/'
    const cut = url.indexOf('?')
    const [path, search] = cut < 0 ? [url, ''] : [url.slice(0, cut), url.slice(cut)]
    const answer = (what: PageOrRedirect) => {
      if ('moved' in what) res.writeHead(301, [...moving, 'location', what.moved + search]).end()
      else sendPage(req, res, what)
    }
    const foundPage = find(site, made, screens, req, path, search, preview)
    if (!(foundPage instanceof Promise)) return answer(foundPage)
    foundPage.then(answer, () => sendPage(req, res, { page: unavailable, status: 503 }))
  }
}
