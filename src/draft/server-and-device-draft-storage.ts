import { v7 } from 'uuid'
import { callApi } from '../client/api.ts'
import { createIndexedDbStore } from '../client/indexed-db-store.ts'
import { currentAccountId } from '../client/login-session.ts'
import { refetchQueries } from '../client/query.ts'
import { runWhenIdle } from '../client/run-when-idle.ts'
import { sendWithTimeout } from '../client/with-timeout.ts'
import { folderQueryInput } from '../folders/folder-page-urls-and-query.ts'
import type { ServerAndDeviceDraftStorage, UnsavedDraft } from './autosaved-draft.ts'

const drafts = createIndexedDbStore<UnsavedDraft>('drafts')
/** The draft is copied to the device this many ms after a change, once the browser is idle, but at the latest after twice that time. */
const COPY_DELAY_MS = 200
const REQUEST_TIMEOUT_MS = 30_000
/** A page that is being reloaded may still hold its lock for a moment. If a lock is still taken after this time, its tab is open. */
const LOCK_WAIT_MS = 500

/**
 * Whether the tab that owns a copy is still open: an open tab holds a Web Lock with the copy's name. In browsers without Web Locks, every
 * tab counts as closed.
 */
const isTabOpen = (tab: string): Promise<boolean> =>
  navigator.locks?.request(tab, { signal: AbortSignal.timeout(LOCK_WAIT_MS) }, () => false).catch(() => true) ?? Promise.resolve(false)

/**
 * Opens the storage of a session's draft on the server and on this device (IndexedDB), and tells other tabs about saves (BroadcastChannel).
 * On the device each tab has its own copy and holds a Web Lock with the copy's name, which is released when the tab closes. A new tab
 * adopts the copies of closed tabs and leaves those of open tabs alone. `onRevisionElsewhere` is called with a revision that another tab
 * has saved.
 */
export function openServerAndDeviceDraftStorage(
  { folder, session }: { folder: string; session: string },
  onRevisionElsewhere: (revision: number) => void,
): ServerAndDeviceDraftStorage & { flush(): void; close(): void } {
  const input = folderQueryInput(folder, session)
  /**
   * The name of the channel between the tabs of this session, and the localStorage key under which older versions of the app stored the
   * draft, before drafts were in IndexedDB.
   */
  const localStorageKey = `draft:${session}`
  const ownKey = `${session} ${v7()}`
  let releaseLock = () => {}
  const closed = new Promise<void>(done => {
    releaseLock = done
  })
  navigator.locks?.request(ownKey, () => closed).catch(() => {})
  let tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel(localStorageKey) : undefined
  if (tabs) tabs.onmessage = event => onRevisionElsewhere(Number(event.data))

  /** Keys of adopted copies. They are deleted once this tab's own copy includes their changes. */
  let adoptedKeys: string[] = []
  let pendingCopy: UnsavedDraft | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (pendingCopy === undefined) return
    const deletedKeys = adoptedKeys
    const owner = currentAccountId()
    const changes = [
      [ownKey, pendingCopy ? { ...pendingCopy, ...(owner && { owner }) } : undefined] as const,
      ...deletedKeys.map(key => [key, undefined] as const),
    ]
    pendingCopy = undefined
    drafts.write(changes).then(
      () => {
        adoptedKeys = adoptedKeys.filter(key => !deletedKeys.includes(key))
        removeLocalStorageCopy(localStorageKey)
      },
      // The browser stores nothing, as in some private windows; the server's draft is the only one.
      () => {},
    )
  }

  return {
    fetchDraft: () => sendWithTimeout(REQUEST_TIMEOUT_MS, signal => callApi('GET /api/folders/{folder}/draft', input, { signal })),
    saveDraft: (revision, draft) =>
      sendWithTimeout(REQUEST_TIMEOUT_MS, signal =>
        callApi('PUT /api/folders/{folder}/draft', { ...input, body: { revision, draft } }, { signal }),
      ),
    async loadCopies() {
      const copies = await drafts.all(`${session} `).catch(() => [])
      const isOpen = await Promise.all(copies.map(([key]) => key !== ownKey && isTabOpen(key)))
      const copiesOfClosedTabs = copies.filter((_, i) => !isOpen[i])
      adoptedKeys = copiesOfClosedTabs.map(([key]) => key).filter(key => key !== ownKey)
      return [...copiesOfClosedTabs.map(([, copy]) => copy), ...localStorageCopy(localStorageKey)]
    },
    writeCopy(copy) {
      pendingCopy = copy
      timer ??= setTimeout(() => runWhenIdle(flush, { timeout: COPY_DELAY_MS }), COPY_DELAY_MS)
    },
    flush,
    onDraftGone: () => void refetchQueries('GET /api/folders/{folder}'),
    announceRevision: revision => tabs?.postMessage(revision),
    schedule(delay, then) {
      let isOver = false
      // Serializing a long review takes a while, so do it when the browser is idle instead of delaying the next keystroke.
      const timer = setTimeout(() => runWhenIdle(done, { timeout: COPY_DELAY_MS }), delay)
      window.addEventListener('online', done)
      function stop() {
        isOver = true
        clearTimeout(timer)
        window.removeEventListener('online', done)
      }
      function done() {
        if (isOver) return
        stop()
        then()
      }
      return stop
    },
    close() {
      flush()
      releaseLock()
      tabs?.close()
      // A save that ends later must not post to the closed channel.
      tabs = undefined
    },
  }
}

function localStorageCopy(key: string): UnsavedDraft[] {
  try {
    const copy = JSON.parse(localStorage.getItem(key) ?? 'null')
    return copy ? [copy] : []
  } catch {
    return []
  }
}
function removeLocalStorageCopy(key: string) {
  try {
    localStorage.removeItem(key)
  } catch {
    // If localStorage is not available, it holds no copy.
  }
}
