import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageHeaders } from '../security.ts'
import { movedTo, shellOf, slugIn } from './addresses.ts'
import { type Found, type Page, packText, type Site, send } from './static.ts'

/** The page of a profile: known at once, or made now; a slug that has moved is `{ moved }`; null if there is none. */
export type Profiles = (slug: string) => Found | null | Promise<Found | null>

/** Pages that are made when they are asked for, by path; they get the query, `?` included. */
export type Made = Record<string, (search: string) => Page | Promise<Page>>

const nothing = (site: Site): Found => ({ page: site.missing, status: 404 })

/** What answers a path of the website. */
export function find(site: Site, path: string, profiles: Profiles): Found | Promise<Found> {
  if (path === '/') {
    const page = site.at('/')
    return page ? { page, phone: site.phone } : nothing(site)
  }
  const slug = slugIn(path)
  if (slug !== undefined) {
    const profile = profiles(slug)
    return profile instanceof Promise ? profile.then(found => found ?? nothing(site)) : (profile ?? nothing(site))
  }
  const moved = movedTo(path, p => p !== '/i' && site.at(p) !== undefined)
  if (moved) return { moved }
  // The template of profiles has no address of its own.
  const page = path === '/i' ? undefined : (site.at(path) ?? site.at(shellOf(path) ?? ''))
  return page ? { page } : nothing(site)
}

const asFound = (page: Page | Promise<Page>): Found | Promise<Found> => (page instanceof Promise ? page.then(page => ({ page })) : { page })

/** Answers a request for anything but the API, straight on Node's response: that is what keeps it near a file server's speed. */
export function website(site: Site, profiles: Profiles, made: Made = {}) {
  const making = new Map(Object.entries(made))
  const notAllowed = packText('Only GET and HEAD are answered here.', site.around, { allow: 'GET, HEAD' })
  const unavailable = packText('This page is not available right now. Try again in a moment.', site.around)
  const moving = Object.entries({ ...pageHeaders(site.around), 'cache-control': 'public, max-age=3600', 'content-length': '0' }).flat()
  return (req: IncomingMessage, res: ServerResponse) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      return send(req, res, { page: notAllowed, status: 405 })
    }
    const url = req.url ?? '/'
    const cut = url.indexOf('?')
    const [path, search] = cut < 0 ? [url, ''] : [url.slice(0, cut), url.slice(cut)]
    const answer = (what: Found) => {
      if ('moved' in what) res.writeHead(301, [...moving, 'location', what.moved + search]).end()
      else send(req, res, what)
    }
    const make = making.get(path)
    const found = make ? asFound(make(search)) : find(site, path, profiles)
    if (!(found instanceof Promise)) return answer(found)
    found.then(answer, () => send(req, res, { page: unavailable, status: 503 }))
  }
}
