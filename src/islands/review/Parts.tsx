import { useStore } from '@nanostores/react'
import { Suspense } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { useIsDraftLoading } from '../../draft/draft-selectors.ts'
import { useDeferredStore } from '../../ui/deferred-store.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Comparisons } from './comparison/Comparisons.tsx'
import type { Draw } from './drawing.ts'
import { Notes, NotesCount } from './Notes.tsx'
import { Summary } from './Summary.tsx'
import type { Desk } from './studio-store.ts'
import type { Technique as Act } from './technique.ts'
import type { Speaking } from './voice/speaking.ts'

const Before = lazyWithRetry(() => import('./Before.tsx').then(m => ({ default: m.Before })))
const Technique = lazyWithRetry(() => import('./Technique.tsx').then(m => ({ default: m.Technique })))

/** The parts of a review beside the picture: its notes, the technique, the summary, and what was before. */
export function Parts({
  desk,
  folder,
  session,
  draw,
  speaking,
  technique,
  message,
}: {
  desk: Desk
  folder: Folder
  session: string
  draw: Draw
  speaking: Speaking
  technique: Act
  /** What the player wrote. */
  message: string | null
}) {
  const { draftStore, player, $comparing } = desk
  const tab = useDeferredStore(desk.$tab, it => it)
  const clip = useStore(desk.$clip)
  const comparing = useStore($comparing)
  const loading = useIsDraftLoading(draftStore)
  const first = folder.player.name.split(' ')[0]!
  if (!clip) return null
  const at = { folder: folder.id, session, draftStore }
  return (
    <aside
      aria-label="Review"
      className="isolate border-line p-4 lg:min-h-0 lg:w-104 lg:shrink-0 lg:overflow-y-auto lg:border-l lg:contain-content"
    >
      {message && (
        <p className="mb-4 rounded-field bg-ink-wash p-3">
          <span className="block text-13 font-medium text-ink-2">{first} writes</span>
          <span className="wrap-anywhere whitespace-pre-line">{message}</span>
        </p>
      )}
      <Tabs
        label="Parts of the review"
        value={tab}
        onValueChange={next => desk.$tab.set(next)}
        tabs={[
          { value: 'notes', label: <NotesCount draftStore={draftStore} />, content: <Notes {...{ desk, draw, speaking }} /> },
          {
            value: 'technique',
            label: 'Technique',
            content: (
              <div className="flex flex-col gap-8">
                {/* Together: what stands below would move when the rest is there. */}
                <Suspense fallback={<Skeleton className="h-80" />}>
                  <Technique {...at} {...{ player, clip }} act={technique} />
                  <Comparisons
                    {...at}
                    loading={loading}
                    shown={comparing?.id}
                    onShow={desk.compare}
                    onDeleted={id => comparing?.id === id && $comparing.set(undefined)}
                  />
                </Suspense>
              </div>
            ),
          },
          { value: 'summary', label: 'Summary', content: <Summary {...{ draftStore, loading, first }} /> },
          {
            value: 'before',
            label: 'Earlier',
            content: (
              <Suspense fallback={<Skeleton className="h-14" />}>
                <Before player={folder.player} />
              </Suspense>
            ),
          },
        ]}
      />
    </aside>
  )
}
