import { useEffect, useState } from 'react'
import { createDraft } from './draft.ts'
import { shelfOf } from './storage.ts'

/** The draft of this session for as long as the studio is open. */
export function useKeeper(of: { folder: string; session: string }) {
  const [{ keeper, shelf }] = useState(() => {
    const shelf = shelfOf(of, revision => keeper.heard(revision))
    const keeper = createDraft(shelf)
    return { keeper, shelf }
  })
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const load = () =>
      keeper.load().then(
        () => setFailed(false),
        () => {
          setFailed(true)
          timer = setTimeout(load, 5000)
        },
      )
    load()
    const seen = () => {
      // Written on elsewhere meanwhile, on a tablet perhaps.
      if (document.visibilityState === 'visible') return keeper.heard()
      shelf.flush()
      keeper.save()
    }
    document.addEventListener('visibilitychange', seen)
    addEventListener('pagehide', shelf.flush)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
      removeEventListener('pagehide', shelf.flush)
      keeper.stop()
      shelf.close()
    }
  }, [keeper, shelf])
  return { keeper, failed }
}
