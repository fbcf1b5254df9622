import { useEffect, useState } from 'react'
import { type AutosavingDraftStore, createAutosavedDraft } from './autosaved-draft.ts'
import { openServerAndDeviceDraftStorage } from './server-and-device-draft-storage.ts'

const LOAD_RETRY_MS = 5000

/**
 * Opens the draft of a session's review, and closes it when the component unmounts. If the draft fails to load, loading is retried every
 * five seconds, and `failed` is true until a retry succeeds.
 */
export function useAutosavedDraft(session: { folder: string; session: string }) {
  const [{ autosavedDraft, storage }] = useState(() => {
    const storage: ReturnType<typeof openServerAndDeviceDraftStorage> = openServerAndDeviceDraftStorage(session, revision =>
      autosavedDraft.onRevisionElsewhere(revision),
    )
    const autosavedDraft: AutosavingDraftStore = createAutosavedDraft(storage)
    return { autosavedDraft, storage }
  })
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isClosed = false
    const load = () =>
      autosavedDraft.load().then(
        () => setFailed(false),
        () => {
          if (isClosed) return
          setFailed(true)
          timer = setTimeout(load, LOAD_RETRY_MS)
        },
      )
    load()
    const onVisibilityChange = () => {
      // The review may have been edited on another device while this page was hidden.
      if (document.visibilityState === 'visible') return autosavedDraft.onRevisionElsewhere()
      storage.flush()
      autosavedDraft.save()
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    addEventListener('pagehide', storage.flush)
    return () => {
      isClosed = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibilityChange)
      removeEventListener('pagehide', storage.flush)
      autosavedDraft.stop()
      storage.close()
    }
  }, [autosavedDraft, storage])
  return { autosavedDraft, failed }
}
