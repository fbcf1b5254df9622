import { useEffect, useState } from 'react'
import { createAutosavedDraft, type DraftStore } from './autosaved-draft.ts'
import { openDraftStorage } from './draft-storage.ts'

const LOAD_RETRY_MS = 5000

/**
 * Opens the draft of a session's review, and closes it when the component unmounts. A draft that fails to load is retried every five
 * seconds; `failed` is true meanwhile.
 */
export function useAutosavedDraft(session: { folder: string; session: string }) {
  const [{ draftStore, storage }] = useState(() => {
    const storage: ReturnType<typeof openDraftStorage> = openDraftStorage(session, revision => draftStore.onRevisionElsewhere(revision))
    const draftStore: DraftStore = createAutosavedDraft(storage)
    return { draftStore, storage }
  })
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const load = () =>
      draftStore.load().then(
        () => setFailed(false),
        () => {
          setFailed(true)
          timer = setTimeout(load, LOAD_RETRY_MS)
        },
      )
    load()
    const onVisibilityChange = () => {
      // The review may have been edited on another device while this page was hidden.
      if (document.visibilityState === 'visible') return draftStore.onRevisionElsewhere()
      storage.flush()
      draftStore.save()
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    addEventListener('pagehide', storage.flush)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibilityChange)
      removeEventListener('pagehide', storage.flush)
      draftStore.stop()
      storage.close()
    }
  }, [draftStore, storage])
  return { draftStore, failed }
}
