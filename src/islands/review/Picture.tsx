import { useStore } from '@nanostores/react'
import { Activity, Suspense, useDeferredValue, useMemo } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import type { Player } from '../../player/player.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import type { Draw } from './drawing.ts'
import { Film } from './Film.tsx'
import { Over } from './Over.tsx'
import type { Desk } from './studio-store.ts'
import type { Technique } from './technique.ts'
import { RecordButton } from './voice/RecordButton.tsx'
import type { Speaking } from './voice/speaking.ts'

const Compare = lazyWithRetry(() => import('./comparison/Compare.tsx').then(m => ({ default: m.Compare })))

/** The video under review, or a comparison in its place; the stage is put away meanwhile, without its video, and comes back as it was. */
export function Picture({
  desk,
  folder,
  session,
  guardedPlayer,
  draw,
  speaking,
  technique,
}: {
  desk: Desk
  folder: Folder
  session: string
  guardedPlayer: Player
  draw: Draw
  speaking: Speaking
  technique: Technique
}) {
  // One takes the place of the other a moment after the press: either is much to draw.
  const comparing = useDeferredValue(useStore(desk.$comparing))
  const clip = useStore(desk.$clip)
  const over = useMemo(() => <Over {...{ draw, speaking }} />, [draw, speaking])
  const more = useMemo(() => <RecordButton speaking={speaking} draftStore={desk.draftStore} />, [speaking, desk])
  if (!clip) return null
  return (
    <>
      <Activity mode={comparing ? 'hidden' : 'visible'}>
        <Film {...{ desk, guardedPlayer, draw, over, more }} $spoken={speaking.$spoken} $heard={technique.$heard} />
      </Activity>
      {comparing && (
        <div className="z-10 min-h-0 min-w-0 border-line bg-paper max-lg:h-[90dvh] max-lg:shrink-0 max-lg:border-b lg:flex-1">
          <Suspense fallback={null}>
            <Compare
              folder={folder.id}
              {...{ session, clip }}
              draftStore={desk.draftStore}
              frame={desk.player.$frame.get()}
              shown={comparing.id}
              onShow={desk.compare}
              onClose={() => desk.$comparing.set(undefined)}
            />
          </Suspense>
        </div>
      )}
    </>
  )
}
