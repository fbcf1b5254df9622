import { useStore } from '@nanostores/react'
import { Columns2, PencilLine, Plus } from 'lucide-react'
import type { ReadableAtom } from 'nanostores'
import { memo, type ReactNode, useDeferredValue, useMemo } from 'react'
import type { Note, Video } from '../../../modules/folders/contract.ts'
import type { Shape } from '../../../modules/reviews/contract.ts'
import { useDraftSelector, useIsDraftLoading } from '../../draft/draft-selector-hooks.ts'
import type { ShapesOrStore } from '../../drawing/DrawingStage.tsx'
import { ClipTabs } from '../../player/ClipTabs.tsx'
import type { FrameMark } from '../../player/FilmstripScrubber.tsx'
import { Stage } from '../../player/Stage.tsx'
import type { VideoPlayer } from '../../player/video-player.ts'
import { techniquePositionMarks } from '../../technique/technique-position-marks.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useStoreSelector } from '../../ui/store-selector.ts'
import { STACKED_STAGE_HEIGHT_CLASSES } from './ReviewPageHeader.tsx'
import { createShapesToPaintOnCurrentClipStore } from './shapes-to-paint-on-current-clip.ts'
import type { StudioDrawing } from './studio-drawing.ts'
import type { StudioStore } from './studio-store.ts'
import type { ContactSoundSearch } from './use-technique-editor.ts'

interface Props {
  studio: StudioStore
  /** The player for the controls; using it pauses a voice-over that controls the stage. */
  guardedPlayer: VideoPlayer
  drawing: StudioDrawing
  /** Rendered over the video. */
  pictureOverlay: ReactNode
  /** Rendered between the video and the controls. */
  recordingBar: ReactNode
  /** Additional buttons at the end of the stage's controls. */
  extraControls: ReactNode
}

/** The current clip with its notes and positions, and tabs to switch clips. The marks are deferred, so that keys respond immediately. */
export function StudioClipStage({
  $contactSearch,
  $voiceShapes,
  $spokenShapes,
  ...rest
}: Props & {
  $contactSearch: ReadableAtom<ContactSoundSearch | undefined>
  /** Drawings of the voice-over that is being recorded or played. */
  $voiceShapes: ReadableAtom<readonly Shape[]>
  /** All drawings that the played voice-over makes on the stage, including those that it has not made yet. */
  $spokenShapes: ReadableAtom<readonly Shape[]>
}) {
  const { studio } = rest
  const { autosavedDraft, $clip } = studio
  const clip = useStore($clip)!
  const notes = useDraftSelector(autosavedDraft, d => d.notes)
  const checkpoints = useDraftSelector(autosavedDraft, d => d.checkpoints)
  const contactSearch = useStore($contactSearch)
  const marks = useMemo(
    () =>
      techniquePositionMarks(
        checkpoints,
        clip.id,
        contactSearch?.is === 'found' && contactSearch.video === clip.id ? contactSearch.frames : [],
      ),
    [checkpoints, contactSearch, clip.id],
  )
  const shapes = useMemo(
    () => createShapesToPaintOnCurrentClipStore(studio, $voiceShapes, $spokenShapes),
    [studio, $voiceShapes, $spokenShapes],
  )
  // Deferred, so that the pressed note is highlighted first.
  const current = useDeferredValue(useStore(studio.$currentNoteId))
  return <ClipStageView {...rest} {...{ clip, shapes, current }} notes={useDeferredValue(notes)} marks={useDeferredValue(marks)} />
}

const DrawButton = ({ drawing, disabled }: { drawing: StudioDrawing; disabled: boolean }) => (
  <Button
    variant="secondary"
    size="sm"
    aria-keyshortcuts="D"
    aria-pressed={useStoreSelector(drawing.shapeEditor.$instrument, it => it !== null)}
    disabled={disabled}
    icon={<PencilLine aria-hidden="true" size={18} strokeWidth={1.75} />}
    onClick={drawing.toggleDrawing}
    className="mr-1 aria-pressed:border-field aria-pressed:bg-field-wash aria-pressed:text-field"
  >
    Draw
  </Button>
)

const ClipStageView = memo(function ClipStageView({
  studio,
  guardedPlayer,
  drawing,
  pictureOverlay,
  recordingBar,
  extraControls,
  clip,
  notes,
  shapes,
  marks,
  current,
}: Props & { clip: Video; marks: FrameMark[]; notes: Note[]; shapes: ShapesOrStore; current: string | undefined }) {
  const clips = useStore(studio.$clips)
  const loading = useIsDraftLoading(studio.autosavedDraft)
  // Memoized, so that the filmstrip's marks do not rerender with the stage while the notes are the same.
  const clipNotes = useMemo(() => notes.filter(n => n.video === clip.id), [notes, clip.id])
  return (
    <div
      className={cx(
        'z-10 flex min-h-0 min-w-0 flex-col border-line bg-paper contain-content has-[[data-full-screen]]:z-50 has-[[data-full-screen]]:[contain:none] max-lg:sticky max-lg:top-0 max-lg:shrink-0 max-lg:border-b lg:flex-1 short:relative short:top-auto short:flex-row-reverse',
        // On a short, narrow screen, the recording bar needs the space next to the video, so the clip tabs are hidden.
        'short:max-[52rem]:has-[[data-recording]]:[&>fieldset]:hidden',
        STACKED_STAGE_HEIGHT_CLASSES,
      )}
    >
      <div className="min-h-0 min-w-0 flex-1">
        <Stage
          fill
          player={guardedPlayer}
          clip={clip}
          notes={clipNotes}
          current={current}
          onNote={studio.goToMoment}
          onStripDoubleClick={studio.addNote}
          drawing={drawing.stageDrawing}
          $takesScreen={drawing.$takesScreen}
          $keyframes={drawing.$keyframes}
          $view={studio.$view}
          {...{ pictureOverlay, shapes, marks }}
          caption={recordingBar}
          extraControls={
            <>
              <DrawButton drawing={drawing} disabled={loading} />
              <Button
                variant="secondary"
                size="sm"
                aria-keyshortcuts="M"
                disabled={loading}
                icon={<Plus aria-hidden="true" size={18} strokeWidth={2} />}
                onClick={studio.addNote}
                className="mr-1"
              >
                Note
              </Button>
              <Button
                variant="secondary"
                size="sm"
                aria-keyshortcuts="C"
                disabled={loading}
                icon={<Columns2 aria-hidden="true" size={18} strokeWidth={1.75} />}
                onClick={studio.reopenComparison}
                className="mr-1"
              >
                Compare
              </Button>
              {extraControls}
            </>
          }
        />
      </div>
      {clips.length > 1 && (
        <ClipTabs
          clips={clips}
          selected={clip.id}
          onSelect={studio.selectClip}
          notes={id => notes.filter(n => n.video === id).length}
          className="shrink-0 border-t border-line p-2 short:w-21 short:flex-col short:overflow-y-auto short:border-t-0 short:border-r short:*:w-full"
        />
      )}
    </div>
  )
})
