import { useStore } from '@nanostores/react'
import { MessageCircleQuestion } from 'lucide-react'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { VideoMoment } from '../../modules/folders/contract.ts'
import { shapesOfNotesOnVideo } from '../drawing/shape-geometry.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { ClipTabs } from '../player/ClipTabs.tsx'
import { Stage } from '../player/Stage.tsx'
import { PLAYING_REVIEW_MAX_HEIGHT_CLASSES, STAGE_MAX_HEIGHT_CLASSES } from '../player/StageSkeleton.tsx'
import { useStageKeys } from '../player/stage-keys.ts'
import { techniquePositionMarks } from '../technique/technique-position-marks.ts'
import { afterNextPaint } from '../ui/after-next-paint.ts'
import { Button } from '../ui/button.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { withoutVoiceOverCopies } from '../voice/replayed-scene.ts'
import { CurrentNote } from './CurrentNote.tsx'
import type { StageJump } from './jump-to-stage-moment.ts'
import { NoteList } from './NoteList.tsx'
import { PreviousAndNextChapterButtons, ReviewSpeedSelect } from './watch/ChapterButtonsAndSpeedSelect.tsx'
import { GoalOrComparisonOverlay } from './watch/GoalOrComparisonOverlay.tsx'
import { PlaybackTimeline } from './watch/PlaybackTimeline.tsx'
import { useReviewStage } from './watch/use-review-stage.ts'
import { WatchButton } from './watch/WatchButton.tsx'
import { createWatchButtonConnection, type WatchButtonConnection } from './watch/watch-button-connection.ts'

const DeliveredTechniquePositions = lazyWithRetry(() =>
  import('./DeliveredTechniquePositions.tsx').then(m => ({ default: m.DeliveredTechniquePositions })),
)

/**
 * A delivered review on its video: the viewer can play it as a whole, or go to any part of it. `watch` connects it with a `WatchButton`
 * elsewhere on the page; without `watch`, the button is rendered here. `jump` is a moment to show; `onAsk` gets the current
 * moment for a question.
 */
export function ReviewPlayer({
  folder,
  session,
  watch: sharedWatch,
  jump,
  onAsk,
  autoplay = false,
}: {
  /** Null for the sample and for a private link. */
  folder: string | null
  session: ReviewedSession
  watch?: WatchButtonConnection
  jump?: StageJump | undefined
  onAsk?: (moment: VideoMoment) => void
  /** Starts playing immediately, because the viewer opened the player with a play button. */
  autoplay?: boolean
}) {
  const [watch] = useState(() => sharedWatch ?? createWatchButtonConnection())
  const watched = useReviewStage(folder, session, watch)
  const { player, playback, replay, notes, clip, clipNotes, current, isWatching, isClipCovered, phase, show, pick } = watched
  const { review, clips } = session
  const marks = useMemo(() => techniquePositionMarks(review.checkpoints, clip?.id), [review.checkpoints, clip?.id])
  const voiceShapes = useStore(replay.$shapes)
  const spoken = useStore(replay.$spokenShapes)
  const problem = useStore(replay.$problem)
  const shapes = useMemo(
    () => [...withoutVoiceOverCopies(shapesOfNotesOnVideo(notes, clip?.id), spoken), ...voiceShapes],
    [notes, clip?.id, spoken, voiceShapes],
  )
  const isButtonVisible = useStore(watch.$isButtonVisible)
  const isPlaying = useStore(watched.stage.$playing)
  const element = useRef<HTMLElement>(null)
  useStageKeys(element, watched.stage)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new jump may move the stage
  useEffect(() => {
    if (jump) show(jump.to.video, { ...jump.to, play: false })
  }, [jump])
  useEffect(() => {
    if (autoplay) playback.play()
  }, [autoplay, playback])

  if (!clip) return null
  return (
    <section
      ref={element}
      id="stage"
      aria-label="Feedback"
      className="overflow-clip rounded-card border border-line bg-paper max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] short:grid short:grid-cols-[minmax(0,1fr)_18rem]"
    >
      {!sharedWatch && phase === 'idle' && (
        <div className="border-b border-line p-3 lg:col-span-2 short:col-span-2">
          <WatchButton session={session} watch={watch} milliseconds={playback.playlist.milliseconds} />
        </div>
      )}
      <div className="min-w-0 border-line stacked:contents lg:border-r short:border-r">
        <div
          data-sticky-stage=""
          className="z-10 border-line bg-paper has-[[data-full-screen]]:z-50 stacked:sticky stacked:top-(--header) stacked:border-b"
        >
          <Stage
            player={watched.stage}
            clip={clip}
            notes={clipNotes}
            shapes={shapes}
            current={current?.id}
            onNote={pick}
            marks={marks}
            $view={watched.$view}
            isPlayHidden={phase === 'idle' && isButtonVisible}
            pictureOverlay={<GoalOrComparisonOverlay {...{ playback, session }} />}
            caption={
              <>
                <CurrentNote note={current} playback={playback} isPlaying={phase === 'playing'} />
                {problem && (
                  <p role="alert" className="px-4 py-2 text-14 font-medium text-red">
                    {problem}
                  </p>
                )}
              </>
            }
            maxHeight={isPlaying ? PLAYING_REVIEW_MAX_HEIGHT_CLASSES : STAGE_MAX_HEIGHT_CLASSES}
            timeline={isWatching && <PlaybackTimeline playback={playback} />}
            steps={(phase === 'playing' || isClipCovered) && <PreviousAndNextChapterButtons playback={playback} />}
            speed={isWatching && <ReviewSpeedSelect playback={playback} />}
          />
        </div>
        {clips.length > 1 && (
          <ClipTabs
            clips={clips}
            selected={clip.id}
            onSelect={c => show(c.id)}
            notes={id => notes.filter(n => n.video === id).length}
            className="border-line p-3 lg:border-t"
          />
        )}
        {onAsk && (
          <div className="border-t border-line p-1">
            <Button
              variant="quiet"
              size="sm"
              icon={<MessageCircleQuestion aria-hidden="true" size={18} strokeWidth={1.75} />}
              onClick={() => {
                playback.pause()
                player.pause()
                onAsk({ video: clip.id, ...player.notePosition() })
              }}
            >
              Ask about this moment
            </Button>
          </div>
        )}
      </div>
      <div className="relative flex min-h-0 flex-col border-t border-line lg:border-t-0 short:border-t-0">
        <div className="flex flex-col lg:absolute lg:inset-0 short:absolute short:inset-0">
          <h2 className="px-4 pt-3 text-18">{notes.length === 1 ? '1 note' : `${notes.length} notes`}</h2>
          {notes.length ? (
            <NoteList
              notes={notes}
              clips={clips}
              voices={review.voices}
              current={current?.id}
              isPaused={phase === 'paused'}
              isPlaying={phase === 'playing'}
              onPick={pick}
            />
          ) : (
            <p className="px-4 pb-4 text-ink-2">No notes on the video this time. See the summary.</p>
          )}
        </div>
      </div>
      {!!review.checkpoints?.length && (
        <Suspense fallback={<Skeleton className="m-4 h-52 lg:col-span-2 short:col-span-2" />}>
          <DeliveredTechniquePositions
            folder={folder}
            session={session}
            checkpoints={review.checkpoints}
            player={player}
            onPick={point => {
              player.pause()
              afterNextPaint().then(() => show(point.video, { frame: point.frame, play: false }))
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
