import { v7 } from 'uuid'
import { call } from '../client/api.ts'
import { indexedDbStore } from '../client/indexed-db-store.ts'
import { refetchQueries } from '../client/query.ts'
import { currentAccountId } from '../client/session.ts'
import { whenIdle } from '../client/when-idle.ts'
import { withTimeout } from '../client/with-timeout.ts'
import { wanted } from '../folders/urls.ts'
import type { Copy, Shelf } from './draft.ts'

const drafts = indexedDbStore<Copy>('drafts')
/** What is written reaches this device so many ms later, or when the page has nothing else to do before twice as many are over. */
const SOON = 200
/** How long an answer may take, ms. */
const PATIENCE = 30_000
/** A page that was just left may hold its lock so long, ms. */
const LEAVING = 500

/** In a browser that counts no locks nobody is alive. */
const isAlive = (tab: string): Promise<boolean> =>
  navigator.locks?.request(tab, { signal: AbortSignal.timeout(LEAVING) }, () => false).catch(() => true) ?? Promise.resolve(false)

/**
 * The draft of one session's review on the server, on this device, and in its other tabs. On the device each tab has a copy of its own under
 * a lock that ends with the tab: who comes later takes over what the dead have left, and leaves the living alone. `heard`: another tab has saved.
 */
export function shelfOf(
  { folder, session }: { folder: string; session: string },
  heard: (revision: number) => void,
): Shelf & { flush(): void; close(): void } {
  const about = wanted(folder, session)
  /** Where drafts were kept before they had a database. */
  const former = `draft:${session}`
  const own = `${session} ${v7()}`
  let release = () => {}
  const open = new Promise<void>(done => {
    release = done
  })
  navigator.locks?.request(own, () => open).catch(() => {})
  const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel(former) : undefined
  if (tabs) tabs.onmessage = event => heard(Number(event.data))

  /** Copies that were taken over, and go once they are in this tab's own. */
  let inherited: string[] = []
  let waiting: Copy | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (waiting === undefined) return
    const taken = inherited
    const owner = currentAccountId()
    const changes = [
      [own, waiting ? { ...waiting, ...(owner && { owner }) } : undefined] as const,
      ...taken.map(key => [key, undefined] as const),
    ]
    waiting = undefined
    drafts.write(changes).then(
      () => {
        inherited = inherited.filter(key => !taken.includes(key))
        forgetFormer(former)
      },
      // No storage: the server's copy is the only one.
      () => {},
    )
  }

  return {
    get: () => withTimeout(PATIENCE, signal => call('GET /api/folders/{folder}/draft', about, { signal })),
    put: (revision, draft) =>
      withTimeout(PATIENCE, signal => call('PUT /api/folders/{folder}/draft', { ...about, body: { revision, draft } }, { signal })),
    async copies() {
      const known = await drafts.all(`${session} `).catch(() => [])
      const alive = await Promise.all(known.map(([key]) => key !== own && isAlive(key)))
      const left = known.filter((_, i) => !alive[i])
      inherited = left.map(([key]) => key).filter(key => key !== own)
      return [...left.map(([, copy]) => copy), ...formerCopy(former)]
    },
    keep(copy) {
      waiting = copy
      timer ??= setTimeout(() => whenIdle(flush, { timeout: SOON }), SOON)
    },
    flush,
    ended: () => void refetchQueries('GET /api/folders/{folder}'),
    tell: revision => tabs?.postMessage(revision),
    wait(later, then) {
      let over = false
      // A long review is a while to write out: not between two letters.
      const timer = setTimeout(() => whenIdle(done, { timeout: SOON }), later)
      window.addEventListener('online', done)
      function stop() {
        over = true
        clearTimeout(timer)
        window.removeEventListener('online', done)
      }
      function done() {
        if (over) return
        stop()
        then()
      }
      return stop
    },
    close() {
      flush()
      release()
      tabs?.close()
    },
  }
}

function formerCopy(key: string): Copy[] {
  try {
    const copy = JSON.parse(localStorage.getItem(key) ?? 'null')
    return copy ? [copy] : []
  } catch {
    return []
  }
}
function forgetFormer(key: string) {
  try {
    localStorage.removeItem(key)
  } catch {
    // No storage, no copy.
  }
}
