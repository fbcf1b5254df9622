import { useStore } from '@nanostores/react'
import { MessageCircleQuestion } from 'lucide-react'
import { atom } from 'nanostores'
import { Suspense, useEffect, useMemo, useState } from 'react'
import type { VideoMoment } from '../../modules/folders/contract.ts'
import { shapesOfNotes } from '../drawing/shapes.ts'
import { fullViewport, type Viewport } from '../drawing/viewport.ts'
import { inReadingOrder, NOTE_KINDS, notesReached, type PinnedNote } from '../folders/notes.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'
import { createUrlRenewer } from '../folders/url-renewer.ts'
import { ClipTabs } from '../player/ClipTabs.tsx'
import { createPlayer } from '../player/player.ts'
import { Stage } from '../player/Stage.tsx'
import { marksOfPositions } from '../technique/position-marks.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { afterNextPaint } from '../ui/next-paint.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { useVoiceReplay } from '../voice/use-voice-replay.ts'
import { VoicePlayButton } from '../voice/VoicePlayButton.tsx'
import { VoicePlayer } from '../voice/VoicePlayer.tsx'
import { NoteLink } from './NoteLink.tsx'
import { NoteList } from './NoteList.tsx'
import type { StageJump } from './stage-moments.ts'

const DeliveredTechnique = lazyWithRetry(() => import('./DeliveredTechnique.tsx').then(m => ({ default: m.DeliveredTechnique })))

const PAUSE_AT_NOTES_KEY = 'pause-at-notes'
const readPauseAtNotes = () => {
  try {
    return localStorage.getItem(PAUSE_AT_NOTES_KEY) !== 'no'
  } catch {
    return true
  }
}

/**
 * A delivered review on its video: notes appear as playback reaches them. `jump` is a moment to show; `onAsk` gets the current moment for a
 * question.
 */
export function ReviewPlayer({
  folder,
  session,
  jump,
  onAsk,
}: {
  /** Null for the sample review. */
  folder: string | null
  session: ReviewedSession
  jump?: StageJump | undefined
  onAsk?: (moment: VideoMoment) => void
}) {
  const { review, clips } = session
  const [player] = useState(() => createPlayer(createUrlRenewer(folder)))
  const notes = useMemo(() => inReadingOrder(review.notes, clips), [review.notes, clips])
  const [selected, setSelected] = useState(() => notes[0]?.video ?? clips[0]?.id)
  const [current, setCurrent] = useState<PinnedNote>()
  const [pauses, setPauses] = useState(readPauseAtNotes)
  const clip = clips.find(c => c.id === selected) ?? clips[0]
  const clipNotes = useMemo(() => notes.filter(n => n.video === clip?.id), [notes, clip?.id])
  const marks = useMemo(() => marksOfPositions(review.checkpoints, clip?.id), [review.checkpoints, clip?.id])
  const [$view] = useState(() => atom<Viewport>(fullViewport))
  const { replay, guardedPlayer } = useVoiceReplay({
    ...{ folder, session, player, $view },
    onClip(video, at) {
      const next = clips.find(c => c.id === video)
      if (!next) return
      setSelected(video)
      player.load(next, at)
    },
  })
  const voiceShapes = useStore(replay.$shapes)
  const openVoice = useStore(replay.$voice)
  const { voices = [] } = review
  const overall = useMemo(() => voices.filter(v => !review.notes.some(n => n.voice === v.id)), [voices, review.notes])
  const shownVoice = openVoice ?? overall[0]
  const noteOf = (voice: string | undefined) => notes.find(n => n.voice !== undefined && n.voice === voice)
  const shapes = useMemo(() => [...shapesOfNotes(notes, clip?.id), ...voiceShapes], [notes, clip?.id, voiceShapes])
  // The note of the voice-over that plays becomes the current one.
  useEffect(() => {
    const its = openVoice && review.notes.find(n => n.voice === openVoice.id)
    if (its) setCurrent(its)
  }, [openVoice, review.notes])

  useEffect(
    () =>
      player.$time.listen((time, before) => {
        // While a voice-over plays, its own note is the current one.
        if (replay.$playing.get()) return
        const reachedNote = player.$playing.get() ? notesReached(clipNotes, before ?? 0, time).at(-1) : undefined
        if (reachedNote) {
          setCurrent(reachedNote)
          if (pauses) {
            player.pause()
            player.goTo({ ...reachedNote, play: false })
          }
        } else setCurrent(c => (c && (time < c.at - 60 || time - c.at > 6000) ? undefined : c))
      }),
    [player, replay, clipNotes, pauses],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: each jump is shown once
  useEffect(() => {
    if (!jump) return
    player.pause()
    showClip(jump.to.video, { ...jump.to, play: false })
  }, [jump])

  if (!clip) return null
  function showClip(id: string, then?: { at: number; frame?: number | undefined; play: boolean }) {
    const next = clips.find(c => c.id === id)
    if (!next) return
    if (replay.$voice.get()) replay.leave()
    setSelected(next.id)
    player.load(next, then)
  }
  function pick(note: PinnedNote) {
    player.pause()
    // A seek blocks a slow phone for a while, so the pressed button is painted first.
    afterNextPaint().then(() => {
      showClip(note.video, { ...note, play: false })
      setCurrent(note)
    })
  }
  return (
    <section
      id="stage"
      aria-label="Feedback"
      className="scroll-mt-20 overflow-clip rounded-card border border-line bg-paper lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <div className="min-w-0 max-lg:contents lg:border-r lg:border-line">
        <div className="z-10 border-line max-lg:sticky max-lg:top-(--header) max-lg:border-b">
          <Stage
            player={guardedPlayer}
            clip={clip}
            notes={clipNotes}
            shapes={shapes}
            current={current?.id}
            onNote={pick}
            marks={marks}
            $view={$view}
          />
          {shownVoice && (
            <VoicePlayer
              voice={shownVoice}
              title={noteOf(shownVoice.id) ? `About note ${notes.indexOf(noteOf(shownVoice.id)!) + 1}` : 'About the whole review'}
              replay={replay}
            />
          )}
        </div>
        {clips.length > 1 && (
          <ClipTabs
            clips={clips}
            selected={clip.id}
            onSelect={c => {
              showClip(c.id)
              setCurrent(undefined)
            }}
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
                player.pause()
                onAsk({ video: clip.id, ...player.notePosition() })
              }}
            >
              Ask about this moment
            </Button>
          </div>
        )}
        <div aria-live="polite" className="min-h-24 border-t border-line p-4 lg:hidden">
          {current ? (
            <>
              <p className={cx('text-13 font-medium', NOTE_KINDS[current.kind].text)}>{NOTE_KINDS[current.kind].label}</p>
              <p className="wrap-anywhere whitespace-pre-line">
                {current.text || (current.voice ? 'Voice-over: press play.' : 'Drawing on the video')}
              </p>
              {current.link && <NoteLink link={current.link} />}
            </>
          ) : (
            <p className="text-ink-2">Press play. The notes come as the video reaches them.</p>
          )}
        </div>
      </div>
      <div className="relative flex min-h-0 flex-col border-t border-line lg:border-t-0">
        <div className="flex flex-col lg:absolute lg:inset-0">
          <div className="flex items-center justify-between gap-3 px-4 pt-3">
            <h2 className="text-18">{notes.length === 1 ? '1 note' : `${notes.length} notes`}</h2>
            <label className="flex min-h-11 items-center gap-2 text-14">
              <input
                type="checkbox"
                className="size-5 accent-field"
                checked={pauses}
                onChange={e => {
                  setPauses(e.currentTarget.checked)
                  try {
                    localStorage.setItem(PAUSE_AT_NOTES_KEY, e.currentTarget.checked ? 'yes' : 'no')
                  } catch {
                    // Without storage the choice lasts until the page is left.
                  }
                }}
              />
              Pause at notes
            </label>
          </div>
          {overall.length > 0 && (
            <section aria-label="Voice-overs about the whole review" className="flex flex-wrap items-center gap-2 px-4">
              <span className="text-13 font-medium text-ink-2">Overall</span>
              {overall.map((voice, i) => (
                <VoicePlayButton
                  key={voice.id}
                  voice={voice}
                  of={overall.length > 1 ? `about the whole review, ${i + 1}` : 'about the whole review'}
                  replay={replay}
                />
              ))}
            </section>
          )}
          {notes.length ? (
            <NoteList
              notes={notes}
              clips={clips}
              current={current?.id}
              onPick={pick}
              voicePlayer={(note, number) => {
                const voice = voices.find(v => v.id === note.voice)
                return voice && <VoicePlayButton voice={voice} of={`of note ${number}`} replay={replay} className="ml-6" />
              }}
            />
          ) : (
            <p className="px-4 pb-4 text-ink-2">No notes on the video this time. See the summary.</p>
          )}
        </div>
      </div>
      {!!review.checkpoints?.length && (
        <Suspense fallback={<Skeleton className="m-4 h-52 lg:col-span-2" />}>
          <DeliveredTechnique
            folder={folder}
            session={session}
            checkpoints={review.checkpoints}
            player={player}
            onPick={point => {
              player.pause()
              setCurrent(undefined)
              afterNextPaint().then(() => showClip(point.video, { at: 0, frame: point.frame, play: false }))
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
