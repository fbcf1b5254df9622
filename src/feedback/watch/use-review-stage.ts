import { useStore } from '@nanostores/react'
import { atom, computed } from 'nanostores'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Note } from '../../../modules/folders/contract.ts'
import { fullViewport, type Viewport } from '../../drawing/viewport.ts'
import { notesReachedBetween, sortNotes } from '../../folders/notes.ts'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { createUrlRenewer } from '../../folders/video-url-renewer.ts'
import type { RequestedPlayerPosition } from '../../player/player-state-and-selectors.ts'
import { createVideoPlayer, type VideoPlayer } from '../../player/video-player.ts'
import { afterNextPaint } from '../../ui/after-next-paint.ts'
import { useVoiceReplay } from '../../voice/use-voice-replay.ts'
import { createReviewPlayback, type ReviewPlayback } from './review-playback.ts'
import { reviewPlaylistOf } from './review-playlist.ts'
import type { WatchButtonConnection } from './watch-button-connection.ts'

/**
 * While the viewer controls the stage, a note stays the current one until the clip's position is more than this far after the note, or more
 * than `BEFORE_NOTE_MS` before it.
 */
const REACHED_NOTE_MS = 6000
const BEFORE_NOTE_MS = 60

/**
 * The player for the stage's own controls: the play button plays the review, and controls that move the clip first hand the stage to the
 * viewer.
 */
function stagePlayer(player: VideoPlayer, playback: ReviewPlayback): VideoPlayer {
  const afterLeaving = <A extends unknown[]>(act: (...args: A) => void) => {
    return (...args: A) => {
      playback.leave()
      act(...args)
    }
  }
  return {
    ...player,
    // A computed store is enough, because the stage only reads it.
    $playing: computed([playback.$phase, player.$playing], (phase, isVideoPlaying) =>
      phase === 'left' || phase === 'idle' ? isVideoPlaying : phase === 'playing',
    ) as VideoPlayer['$playing'],
    toggle: playback.toggle,
    showFrame: afterLeaving(player.showFrame),
    step: afterLeaving(player.step),
    seek: afterLeaving(player.seek),
    goTo: afterLeaving(player.goTo),
  }
}

/**
 * Everything that a delivered review needs on its stage: the player, the voice-overs, the playback of the whole review, and the current
 * note.
 */
export function useReviewStage(folder: string | null, session: ReviewedSession, watch: WatchButtonConnection) {
  const { review, clips } = session
  const notes = useMemo(() => sortNotes(review.notes, clips), [review.notes, clips])
  const [player] = useState(() => createVideoPlayer(createUrlRenewer(folder)))
  const [selected, setSelected] = useState(() => notes[0]?.video ?? clips[0]?.id)
  const [chosen, setChosen] = useState<Note>()
  const [$view] = useState(() => atom<Viewport>(fullViewport))
  const clip = clips.find(c => c.id === selected) ?? clips[0]
  const latestClips = useRef(clips)
  latestClips.current = clips
  const [showClip] = useState(() => (id: string, target?: RequestedPlayerPosition) => {
    const next = latestClips.current.find(c => c.id === id)
    if (!next) return
    setSelected(id)
    player.load(next, target)
  })
  const replay = useVoiceReplay({ folder, session, player, $view, onClip: showClip })
  const [playback] = useState(() => createReviewPlayback(reviewPlaylistOf(session), { player, replay, $view, showClip }))
  const stage = useMemo(() => stagePlayer(player, playback), [player, playback])
  useEffect(() => playback.close, [playback])

  useEffect(() => watch.connect(playback.play), [watch, playback])
  const phase = useStore(playback.$phase)
  useEffect(() => {
    watch.$hasBegun.set(phase !== 'idle')
    if (phase === 'finished') watch.$isFinished.set(true)
  }, [watch, phase])

  const segment = playback.playlist.segments[useStore(playback.$segment)]
  const isWatching = phase === 'playing' || phase === 'paused' || phase === 'finished'
  const watchedNote = isWatching && segment && 'note' in segment ? segment.note : undefined
  const current = isWatching ? watchedNote : chosen
  // If the viewer takes control of the stage in the middle of a note, that note stays the current one.
  useEffect(() => {
    if (watchedNote) setChosen(watchedNote)
  }, [watchedNote])

  const clipNotes = useMemo(() => notes.filter(n => n.video === clip?.id), [notes, clip?.id])
  useEffect(
    () =>
      player.$time.listen((time, before) => {
        const phase = playback.$phase.get()
        if (phase !== 'left' && phase !== 'idle') return
        const reached = player.$playing.get() ? notesReachedBetween(clipNotes, before ?? 0, time).at(-1) : undefined
        if (reached) setChosen(reached)
        else setChosen(c => (c && (time < c.at - BEFORE_NOTE_MS || time - c.at > REACHED_NOTE_MS) ? undefined : c))
      }),
    [player, playback, clipNotes],
  )

  return {
    player,
    stage,
    replay,
    playback,
    $view,
    notes,
    clip,
    clipNotes,
    current,
    isWatching,
    /** Whether a comparison or a goal covers the clip. The stage then shows chapter buttons instead of those that step through the clip. */
    isClipCovered: isWatching && (segment?.kind === 'comparison' || segment?.kind === 'goal'),
    phase,
    /** Pauses, hands the stage to the viewer, and shows a position in a clip. */
    show(video: string, target?: RequestedPlayerPosition) {
      playback.leave()
      if (!target || video !== clip?.id) setChosen(undefined)
      player.pause()
      showClip(video, target)
    },
    pick(note: Note) {
      playback.choose(note.id)
      player.pause()
      // A seek blocks a slow phone for a while, so the pressed button is painted first.
      afterNextPaint().then(() => {
        showClip(note.video, { at: note.at, frame: note.frame, play: false })
        setChosen(note)
      })
    },
  }
}
