import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { id } from '../../modules/id.ts'
import type { Told } from '../client/told.ts'
import { asks } from '../layouts/asks.ts'
import type { PageOrigins } from '../security-headers.ts'
import { sharedPageOf } from './addresses.ts'
import type { Render } from './astro-renderer.ts'
import { type Found, packPersonal, packRendered } from './site-files.ts'

/** So long a page waits for its answers, ms; then it comes without them, and asks by itself. */
const MAX_ANSWER_WAIT_MS = 700

/** React's mark of a part that follows the rest of the page. */
const STREAMED_SUSPENSE_MARK = '<!--$?-->'

/** The cookies that matter to a page; undefined where one is not there. */
function readCookies(cookies: string) {
  const value = (name: string) => new RegExp(`(?:^|;\\s*)${name}=([^;\\s]+)`).exec(cookies)?.[1]
  return { session: value('(?:__Host-)?session'), zone: value('zone'), seen: value('seen'), read: value('read'), plain: value('plain') }
}

/**
 * Screens behind the login. Who is signed in gets a page that shows at once what the API would answer: it is asked here, with their own
 * cookies, by the same way that the browser would go (`asks.ts`), and the page is theirs alone. Wherever an answer is missing, late or an
 * error, the page comes without any, as it does to everybody else; it is made once, and asks by itself.
 */
export function personalPages(
  ask: (request: Request) => Response | Promise<Response>,
  render: Render,
  around: PageOrigins,
  { log, patience = MAX_ANSWER_WAIT_MS }: { log: Logger; patience?: number },
) {
  const { origin } = around
  const emptyPages = new Map<string, Promise<{ html: string; found: Found }>>()

  /** The page with nothing told: made once, for everybody. */
  function emptyPage(screen: string) {
    const made =
      emptyPages.get(screen) ??
      render(screen, { origin }).then(async page => ({ html: page.body, found: { page: await packRendered(page, around) } }))
    emptyPages.set(screen, made)
    made.catch(() => emptyPages.delete(screen))
    return made
  }
  const plain = async (screen: string) => (await emptyPage(screen)).found

  /** The page with what is told. @throws where React would put a part of it in its place by a script, which may not run */
  async function renderWithAnswers(screen: string, told: string) {
    const { body } = await render(screen, { origin, told })
    if (body.includes(STREAMED_SUSPENSE_MARK)) throw new Error('The page came in pieces: a large part of it lies in a <Suspense>.')
    return body
  }

  /** What the API answers to who sent these cookies; undefined where it is not all there. */
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

  async function told(screen: string, address: string, cookies: string, signal: AbortSignal): Promise<Told | undefined> {
    const { session, zone, read = '', plain } = readCookies(cookies)
    const queries = queriesOf(screen, address)
    if (!session || plain || !zone || !isZone(zone) || !queries) return undefined
    const answers = await askApi(['/api/user', ...queries], cookies, signal)
    return answers && { at: Date.now(), zone, read, address, answers }
  }

  async function personalPage(screen: string, address: string, req: IncomingMessage): Promise<Found> {
    const late = AbortSignal.timeout(patience)
    const over = new Promise<undefined>(done => late.addEventListener('abort', () => done(undefined)))
    try {
      const all = await Promise.race([told(screen, address, req.headers.cookie ?? '', late), over])
      if (!all) return plain(screen)
      const [body, { html }] = await Promise.all([renderWithAnswers(screen, JSON.stringify(all)), emptyPage(screen)])
      return { page: await packPersonal(body, html, around, req.headers['accept-encoding']) }
    } catch (error) {
      log.error({ err: error, screen }, 'a screen comes without its answers')
      return plain(screen)
    }
  }

  return {
    paths: Object.keys(asks),
    /** What answers an address; undefined if it is no screen. */
    find(path: string, search: string, req: IncomingMessage): Promise<Found> | undefined {
      const screen = asks[path] ? path : sharedPageOf(path)
      if (!screen || !asks[screen]) return undefined
      return req.headers.cookie ? personalPage(screen, path + search, req) : plain(screen)
    },
  }
}
export type PersonalPages = Pick<ReturnType<typeof personalPages>, 'paths' | 'find'>

/**
 * The API paths that the screen at this address needs, or undefined where the address ends in no id: the API knows nothing by that name.
 * The address is taken apart as it was sent, since `URL` would turn `/player/folder/.` into the path of another screen.
 */
function queriesOf(screen: string, address: string): string[] | undefined {
  const paths = asks[screen]!
  if (!paths.some(path => path.includes('{id}'))) return [...paths]
  const [path = '', search = ''] = address.split(/\?(.*)/s)
  const thing = path.slice(path.lastIndexOf('/') + 1)
  if (!id.safeParse(thing).success) return undefined
  const session = new URLSearchParams(search).get('session')
  return paths.map(query => query.replace('{id}', thing) + (session ? `?session=${encodeURIComponent(session)}` : ''))
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
