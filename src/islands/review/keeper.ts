import { useEffect, useState } from 'react'
import { createDraft } from './draft.ts'
import { shelfOf } from './shelf.ts'

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
    const hidden = () => document.visibilityState === 'hidden' && keeper.save()
    document.addEventListener('visibilitychange', hidden)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', hidden)
      keeper.stop()
      shelf.close()
    }
  }, [keeper, shelf])
  return { keeper, failed }
}
