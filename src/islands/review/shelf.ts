import { call } from '../../client/api.ts'
import { wanted } from '../folder/address.ts'
import type { Shelf } from './draft.ts'

/** The draft of one session's review on the server, in this browser, and in its other tabs. `heard`: another tab has saved. */
export function shelfOf(
  { folder, session }: { folder: string; session: string },
  heard: (revision: number) => void,
): Shelf & { close(): void } {
  const key = `draft:${session}`
  const about = wanted(folder, session)
  const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel(key) : undefined
  if (tabs) tabs.onmessage = event => heard(Number(event.data))
  return {
    get: () => call('GET /api/folders/{folder}/draft', about),
    put: (revision, draft) => call('PUT /api/folders/{folder}/draft', { ...about, body: { revision, draft } }),
    copy() {
      try {
        return JSON.parse(localStorage.getItem(key) ?? 'null')
      } catch {
        return null
      }
    },
    keep(copy) {
      try {
        if (copy) localStorage.setItem(key, JSON.stringify(copy))
        else localStorage.removeItem(key)
      } catch {
        // No storage: the server's copy is the only one.
      }
    },
    tell: revision => tabs?.postMessage(revision),
    wait(later, then) {
      const timer = setTimeout(done, later)
      window.addEventListener('online', done)
      function stop() {
        clearTimeout(timer)
        window.removeEventListener('online', done)
      }
      function done() {
        stop()
        then()
      }
      return stop
    },
    close: () => tabs?.close(),
  }
}
