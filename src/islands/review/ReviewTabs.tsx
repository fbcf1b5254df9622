import { useStore } from '@nanostores/react'
import { Suspense } from 'react'
import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { useIsDraftLoading } from '../../draft/draft-selector-hooks.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useStoreSelector } from '../../ui/store-selector.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { ComparisonList } from './comparison/ComparisonList.tsx'
import { NotesTab, NotesTabLabel } from './NotesTab.tsx'
import { PlayerMessageAndDecline } from './PlayerMessageAndDecline.tsx'
import { SummaryGoalsAndGradesTab } from './SummaryGoalsAndGradesTab.tsx'
import type { StudioDrawing } from './studio-drawing.ts'
import type { StudioStore } from './studio-store.ts'
import type { TechniqueEditor } from './use-technique-editor.ts'
import type { StudioVoice } from './voice/studio-voice.ts'

const EarlierSessionsWithPlayer = lazyWithRetry(() =>
  import('./EarlierSessionsWithPlayer.tsx').then(m => ({ default: m.EarlierSessionsWithPlayer })),
)
const VoicePartsEditor = lazyWithRetry(() => import('./voice/VoicePartsEditor.tsx').then(m => ({ default: m.VoicePartsEditor })))
const TechniqueTab = lazyWithRetry(() => import('./TechniqueTab.tsx').then(m => ({ default: m.TechniqueTab })))

/** The parts of the voice-over that is being divided; renders nothing otherwise. */
function VoiceDivision({ studio, studioVoice }: { studio: StudioStore; studioVoice: StudioVoice }) {
  const voice = useStore(studioVoice.division.$voice)
  if (!voice) return null
  return (
    <Suspense fallback={<Skeleton className="mb-4 h-40" />}>
      <VoicePartsEditor key={voice.id} {...{ voice, studio, studioVoice }} />
    </Suspense>
  )
}

/**
 * The tabs next to the stage, or on narrow screens below it: notes, technique, summary and earlier sessions. Above them is the player's
 * message.
 */
export function ReviewTabs({
  studio,
  folder,
  session,
  drawing,
  studioVoice,
  technique,
}: {
  studio: StudioStore
  folder: Folder
  session: Session
  drawing: StudioDrawing
  studioVoice: StudioVoice
  technique: TechniqueEditor
}) {
  const { autosavedDraft, player, $comparing } = studio
  const tab = useStoreSelector(studio.$tab, it => it)
  const clip = useStore(studio.$clip)
  const comparing = useStore($comparing)
  const loading = useIsDraftLoading(autosavedDraft)
  const first = folder.player.name.split(' ')[0]!
  if (!clip) return null
  const at = { folder: folder.id, session: session.id, autosavedDraft }
  return (
    <aside
      aria-label="Review"
      className="isolate border-line p-4 lg:min-h-0 lg:w-104 lg:shrink-0 lg:overflow-y-auto lg:border-l lg:contain-content"
    >
      <PlayerMessageAndDecline {...{ studio, folder, session }} />
      <VoiceDivision {...{ studio, studioVoice }} />
      <Tabs
        label="Parts of the review"
        value={tab}
        onValueChange={next => studio.$tab.set(next)}
        tabs={[
          {
            value: 'notes',
            label: <NotesTabLabel autosavedDraft={autosavedDraft} />,
            content: <NotesTab {...{ studio, drawing, studioVoice }} />,
          },
          {
            value: 'technique',
            label: 'Technique',
            content: (
              <div className="flex flex-col gap-8">
                {/* Both parts appear together: otherwise the later one would push down the content below it. */}
                <Suspense fallback={<Skeleton className="h-80" />}>
                  <TechniqueTab {...at} {...{ player, clip }} technique={technique} />
                  <ComparisonList
                    {...at}
                    loading={loading}
                    shown={comparing?.id}
                    onShow={id => studio.openComparison(id)}
                    onDeleted={id => comparing?.id === id && $comparing.set(undefined)}
                  />
                </Suspense>
              </div>
            ),
          },
          { value: 'summary', label: 'Summary', content: <SummaryGoalsAndGradesTab {...{ autosavedDraft, loading, first }} /> },
          {
            value: 'before',
            label: 'Earlier',
            content: (
              <Suspense fallback={<Skeleton className="h-14" />}>
                <EarlierSessionsWithPlayer player={folder.player} />
              </Suspense>
            ),
          },
        ]}
      />
    </aside>
  )
}
