import { useEffect, useState } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { createDraft } from './draft.ts'
import { shelfOf } from './shelf.ts'

/** The draft of this assignment for as long as the studio is open. */
export function useKeeper(folder: Folder) {
  const [{ keeper, shelf }] = useState(() => {
    const shelf = shelfOf({ folder: folder.id, assignment: folder.assignment! }, revision => keeper.heard(revision))
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
