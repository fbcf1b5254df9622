import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { isValidTimeZone } from '../../modules/time-zone-default-and-validation.ts'
import { uuidSchema } from '../../modules/uuid-validation.ts'
import { pageQueries } from '../page-load/page-queries.ts'
import type { PreloadedPageData } from '../page-load/preloaded-page-data-context.ts'
import type { CspOrigins } from '../security-headers.ts'
import type { RenderPage } from './astro-renderer.ts'
import { findPageForPathWithId } from './page-paths-and-redirects.ts'
import { buildOnDemandPageResponse, buildPersonalPageResponse, type PageOrRedirect } from './page-responses.ts'

/** How long the server waits for the API's responses before it sends the page without them. */
const MAX_ANSWER_WAIT_MS = 700

/** React's marker for a Suspense boundary whose content it streams after the page and moves into place with an inline script. */
const STREAMED_SUSPENSE_MARK = '<!--$?-->'

/** The cookies that decide what a page shows; undefined for each that is missing. */
function readCookies(cookies: string) {
  const value = (name: string) => new RegExp(`(?:^|;\\s*)${name}=([^;\\s]+)`).exec(cookies)?.[1]
  return { session: value('(?:__Host-)?session'), zone: value('zone'), seen: value('seen'), read: value('read'), plain: value('plain') }
}

/**
 * Renders screens behind the login for one person. The server asks its own API with the visitor's cookies for the screen's queries
 * (`src/page-load/page-queries.ts`) and renders the page with the responses, so that its first paint needs no request. If a response is
 * missing, late, stale or an error, the visitor gets the empty page instead, which is rendered once for everybody and requests the data
 * itself.
 */
export function pagesWithPreloadedData(
  ask: (request: Request) => Response | Promise<Response>,
  render: RenderPage,
  around: CspOrigins,
  { log, answerTimeoutMs = MAX_ANSWER_WAIT_MS }: { log: Logger; answerTimeoutMs?: number },
) {
  const { origin } = around
  const emptyPages = new Map<string, Promise<{ html: string; found: PageOrRedirect }>>()

  /** The page without the API's responses, rendered once for everybody. */
  function emptyPage(screen: string) {
    const renderedScreen =
      emptyPages.get(screen) ??
      render(screen, { origin }).then(async page => ({ html: page.body, found: { page: await buildOnDemandPageResponse(page, around) } }))
    emptyPages.set(screen, renderedScreen)
    renderedScreen.catch(() => emptyPages.delete(screen))
    return renderedScreen
  }
  const plain = async (screen: string) => (await emptyPage(screen)).found

  /** @throws Error if React streams a part of the page, because the content security policy forbids the script that moves it into place */
  async function renderWithAnswers(screen: string, preloaded: string) {
    const { body } = await render(screen, { origin, preloaded })
    if (body.includes(STREAMED_SUSPENSE_MARK))
      throw new Error('React streamed the page in parts: one of its <Suspense> boundaries is too large.')
    return body
  }

  /** The API's responses for these cookies, by path; undefined if one is missing or does not contain this browser's last write yet. */
  async function askApi(paths: string[], cookies: string, signal: AbortSignal) {
    const { seen } = readCookies(cookies)
    const headers = { accept: 'application/json', cookie: cookies, ...(seen && { 'x-seen': seen }) }
    const replies = await Promise.all(
      paths.map(async path => {
        const reply = await ask(new Request(origin + path, { headers, signal }))
        return reply.ok && !reply.headers.has('x-stale') ? ([path, await reply.json()] as const) : undefined
      }),
    )
    return replies.every(reply => reply !== undefined) ? Object.fromEntries(replies) : undefined
  }

  async function preload(screen: string, address: string, cookies: string, signal: AbortSignal): Promise<PreloadedPageData | undefined> {
    const { session, zone: timeZone, read: readMarks = '', plain } = readCookies(cookies)
    const queries = queriesOf(screen, address)
    if (!session || plain || !timeZone || !isValidTimeZone(timeZone) || !queries) return undefined
    const answers = await askApi(['/api/user', ...queries], cookies, signal)
    return answers && { renderedAt: Date.now(), timeZone, readMarks, address, answers }
  }

  async function personalPage(screen: string, address: string, req: IncomingMessage): Promise<PageOrRedirect> {
    const late = AbortSignal.timeout(answerTimeoutMs)
    const over = new Promise<undefined>(done => late.addEventListener('abort', () => done(undefined)))
    try {
      const all = await Promise.race([preload(screen, address, req.headers.cookie ?? '', late), over])
      if (!all) return plain(screen)
      const [body, { html }] = await Promise.all([renderWithAnswers(screen, JSON.stringify(all)), emptyPage(screen)])
      return { page: await buildPersonalPageResponse(body, html, around, req.headers['accept-encoding']) }
    } catch (error) {
      log.error({ err: error, screen }, 'a page was sent without preloaded answers')
      return plain(screen)
    }
  }

  return {
    paths: Object.keys(pageQueries),
    /** The page for a path and query; undefined if no screen with queries has that path. */
    find(path: string, search: string, req: IncomingMessage): Promise<PageOrRedirect> | undefined {
      const screen = pageQueries[path] ? path : findPageForPathWithId(path)
      if (!screen || !pageQueries[screen]) return undefined
      return req.headers.cookie ? personalPage(screen, path + search, req) : plain(screen)
    },
  }
}
export type PreloadedPageFinder = Pick<ReturnType<typeof pagesWithPreloadedData>, 'paths' | 'find'>

/**
 * The API paths that `screen` needs; undefined if it needs an id and the path in `address` (path and query) does not end in one. `address`
 * is not parsed with `URL`, which would turn `/player/folder/.` into the path of another screen.
 */
function queriesOf(screen: string, address: string): string[] | undefined {
  const paths = pageQueries[screen]!
  if (!paths.some(path => path.includes('{id}'))) return [...paths]
  const [path = '', search = ''] = address.split(/\?(.*)/s)
  const thing = path.slice(path.lastIndexOf('/') + 1)
  if (!uuidSchema.safeParse(thing).success) return undefined
  const session = new URLSearchParams(search).get('session')
  return paths.map(query => query.replace('{id}', thing) + (session ? `?session=${encodeURIComponent(session)}` : ''))
}
