import { useEffect, useMemo, useRef } from 'react'
import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { useAutosavedDraft } from '../../draft/use-autosaved-draft.ts'
import { FormError } from '../../ui/field.tsx'
import { createVoiceOverPausingPlayer } from '../../voice/pause-voice-over-on-player-use.ts'
import { ReviewTabs } from './ReviewTabs.tsx'
import { StageOrComparisonPane } from './StageOrComparisonPane.tsx'
import { StudioDialogs } from './StudioDialogs.tsx'
import { StudioHeader } from './StudioHeader.tsx'
import { StudioShortcutListener } from './StudioShortcutListener.tsx'
import { useStudioDrawing } from './studio-drawing.ts'
import { useRememberStudioResumePoint } from './studio-resume-point.ts'
import { useCreateStudioStore } from './studio-store.ts'
import { useNextReviewInQueue } from './use-next-review-in-queue.ts'
import { useTechniqueEditor } from './use-technique-editor.ts'
import { useStudioVoice } from './voice/studio-voice.ts'

/** The screen in which an instructor writes a review: the video, notes pinned to its frames, summary and grades. */
export function Studio({ folder, session, onDelivered }: { folder: Folder; session: Session; onDelivered: () => void }) {
  const { autosavedDraft, failed } = useAutosavedDraft({ folder: folder.id, session: session.id })
  const studio = useCreateStudioStore(autosavedDraft, folder.id, session)
  const forgetResumePoint = useRememberStudioResumePoint(session.id, studio)
  const drawing = useStudioDrawing(studio)
  const latest = useRef(session)
  latest.current = session
  const studioVoice = useStudioVoice(studio, { folder: folder.id, session: () => latest.current, shapeEditor: drawing.shapeEditor })
  const { recorder, replay } = studioVoice
  const guardedPlayer = useMemo(() => createVoiceOverPausingPlayer(studio.player, replay), [studio, replay])
  const { next, progress } = useNextReviewInQueue(session.id)
  const technique = useTechniqueEditor(studio, guardedPlayer)
  useEffect(() => studio.setStageRelease(() => replay.$voice.get() && replay.leave()), [studio, replay])
  useEffect(
    () =>
      studio.$comparing.listen(comparing => {
        if (!comparing) return
        // The comparison hides the stage, so a recording in progress ends, and is kept.
        void recorder.stop()
        replay.close()
      }),
    [studio, recorder, replay],
  )
  if (!session.clips.length) return null
  const at = { studio, folder, session: session.id }
  return (
    // On a phone in landscape, a comparison covers the header, and only screen readers get the heading.
    <div className="flex min-h-dvh flex-col lg:h-dvh max-lg:short:has-[[data-comparing]]:[&>header]:sr-only max-lg:short:has-[[data-comparing]]:[&>header]:min-h-0! max-lg:short:has-[[data-comparing]]:[&>header>:not(h1)]:hidden">
      <StudioShortcutListener {...{ studio, guardedPlayer, drawing, studioVoice, technique }} />
      <StudioHeader {...{ studio, folder, failed, progress }} ended={!!session.review} />
      {session.delivery?.refusal && (
        <div className="border-b border-line px-4 py-2">
          <FormError>{`Your feedback was not delivered. ${session.delivery.refusal}`}</FormError>
        </div>
      )}
      {/* Always `flex`: WebKit rebuilds a box whose display type changes, and the video in it then loses its picture. */}
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <StageOrComparisonPane {...at} {...{ guardedPlayer, drawing, studioVoice, technique }} />
        <ReviewTabs {...{ studio, folder, session, drawing, studioVoice, technique }} />
      </div>
      <StudioDialogs
        {...{ studio, folder, session, drawing, studioVoice, next }}
        onDelivered={() => {
          forgetResumePoint()
          onDelivered()
        }}
      />
    </div>
  )
}
