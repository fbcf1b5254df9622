import { useStore } from '@nanostores/react'
import { Activity, Suspense, useDeferredValue, useMemo } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import type { VideoPlayer } from '../../player/video-player.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { DrawingToolsOverlay } from './DrawingToolsOverlay.tsx'
import { StudioClipStage } from './StudioClipStage.tsx'
import type { StudioDrawing } from './studio-drawing.ts'
import type { StudioStore } from './studio-store.ts'
import type { TechniqueEditor } from './use-technique-editor.ts'
import { RecordingBar } from './voice/RecordingBar.tsx'
import { StartVoiceOverButton } from './voice/StartVoiceOverButton.tsx'
import type { StudioVoice } from './voice/studio-voice.ts'

const ComparisonEditorOrClipPicker = lazyWithRetry(() =>
  import('./comparison/ComparisonEditorOrClipPicker.tsx').then(m => ({ default: m.ComparisonEditorOrClipPicker })),
)

/** The stage, or a comparison in its place. A hidden stage releases its video and later returns in the same state. */
export function StageOrComparisonPane({
  studio,
  folder,
  session,
  guardedPlayer,
  drawing,
  studioVoice,
  technique,
}: {
  studio: StudioStore
  folder: Folder
  session: string
  guardedPlayer: VideoPlayer
  drawing: StudioDrawing
  studioVoice: StudioVoice
  technique: TechniqueEditor
}) {
  // Deferred, because the stage and a comparison are both expensive to render.
  const comparing = useDeferredValue(useStore(studio.$comparing))
  const clip = useStore(studio.$clip)
  const pictureOverlay = useMemo(() => <DrawingToolsOverlay drawing={drawing} />, [drawing])
  const recordingBar = useMemo(() => <RecordingBar recorder={studioVoice.recorder} onAgain={studioVoice.toggleRecording} />, [studioVoice])
  const recordButton = useMemo(
    () => <StartVoiceOverButton studioVoice={studioVoice} autosavedDraft={studio.autosavedDraft} />,
    [studioVoice, studio],
  )
  if (!clip) return null
  return (
    <>
      <Activity mode={comparing ? 'hidden' : 'visible'}>
        <StudioClipStage
          {...{ studio, guardedPlayer, drawing, pictureOverlay, recordingBar }}
          extraControls={recordButton}
          $voiceShapes={studioVoice.$voiceShapes}
          $spokenShapes={studioVoice.replay.$spokenShapes}
          $contactSearch={technique.$contactSearch}
        />
      </Activity>
      {comparing && (
        <div
          data-comparing=""
          className="z-10 min-h-0 min-w-0 border-line bg-paper max-lg:h-[90dvh] max-lg:shrink-0 max-lg:border-b lg:flex-1 max-lg:short:h-dvh"
        >
          <Suspense fallback={null}>
            <ComparisonEditorOrClipPicker
              folder={folder.id}
              {...{ session, clip }}
              autosavedDraft={studio.autosavedDraft}
              frame={studio.player.$frame.get()}
              shown={comparing.id}
              shownNote={comparing.note}
              onShow={id => studio.openComparison(id)}
              onNote={studio.addNoteAt}
              onClose={() => studio.$comparing.set(undefined)}
            />
          </Suspense>
        </div>
      )}
    </>
  )
}
