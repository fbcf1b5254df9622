import { atom, type WritableAtom } from 'nanostores'
import type { SyncedComparisonController } from '../../comparison/synced-comparison.ts'
import { fullViewport, type Viewport } from '../../drawing/viewport.ts'
import type { RequestedPlayerPosition } from '../../player/player-state-and-selectors.ts'
import type { VideoPlayer } from '../../player/video-player.ts'
import type { VoiceReplay } from '../../voice/voice-over-playback.ts'
import {
  createPlaybackState,
  type PlaybackEffect,
  type PlaybackEvent,
  type PlaybackState,
  playbackTransition,
  playlistMillisecondsOf,
} from './playback-transitions.ts'
import { type PlaylistSegment, type ReviewPlaylist, segmentIndexOfNote } from './review-playlist.ts'
import { clipMillisecondsAt, comparisonMillisecondsAt, loopOfNote } from './stage-content.ts'

/** How often the position is read while a review plays. The video and the voice-over also report it in between. */
const TICK_MS = 100
/** A voice-over that stops within this time of its end counts as finished. */
const END_TOLERANCE_MS = 150

interface WatchedStage {
  player: VideoPlayer
  replay: VoiceReplay
  $view: WritableAtom<Viewport>
  /** Loads a clip, or seeks in it if it is already loaded. */
  showClip: (video: string, target: RequestedPlayerPosition) => void
}

/**
 * Plays a review on its stage; the stage's play button calls `toggle`. `playbackTransition` makes all decisions; this function performs its
 * effects, and reports the positions of the video, the voice and the comparison to it.
 */
export function createReviewPlayback(playlist: ReviewPlaylist, { player, replay, $view, showClip }: WatchedStage) {
  let state: PlaybackState = createPlaybackState(playlist.segments.map(s => s.milliseconds))
  const $phase = atom(state.phase)
  /** Index of the current segment, or of the one at which playing will resume. */
  const $segment = atom(0)
  /** Current position in the playlist, in ms. */
  const $position = atom(0)
  const $speed = atom(1)
  let comparer: SyncedComparisonController | undefined
  let ticks: ReturnType<typeof setInterval> | undefined
  let lastTickAt = 0

  function send(event: PlaybackEvent) {
    const [next, effects] = playbackTransition(state, event)
    state = next
    for (const effect of effects) perform(effect)
    $segment.set(state.index)
    $position.set(playlistMillisecondsOf(state))
    $speed.set(state.speed)
    $phase.set(state.phase)
    if (state.phase !== 'playing') {
      clearInterval(ticks)
      ticks = undefined
    } else if (!ticks) {
      lastTickAt = performance.now()
      ticks = setInterval(tick, TICK_MS)
    }
  }

  function perform(effect: PlaybackEffect) {
    switch (effect.type) {
      case 'present':
        return present(playlist.segments[effect.index]!, effect.offset, effect.isPlaying)
      case 'release':
        stop()
        if (replay.$voice.get()) replay.leave()
        return
      case 'pause':
        return stop()
      case 'setSpeed':
        return applySpeed(playlist.segments[state.index]!)
    }
  }

  function stop() {
    player.pause()
    replay.pause()
    comparer?.pause()
  }

  function applySpeed(segment: PlaylistSegment) {
    replay.speed(state.speed)
    if (segment.kind === 'clip' || segment.kind === 'note') player.setSpeed(state.speed)
    if (segment.kind === 'comparison' && segment.speed > 0) comparer?.setSpeed(segment.speed * state.speed)
  }

  function present(segment: PlaylistSegment, offset: number, isPlaying: boolean) {
    if (segment.kind !== 'voice' && replay.$voice.get()) {
      replay.close()
      // The last voice-over may have left the stage zoomed.
      $view.set(fullViewport)
    }
    player.$loop.set(null)
    if (segment.kind !== 'clip' || !isPlaying) player.pause()
    switch (segment.kind) {
      case 'clip':
        showClip(segment.video, { at: clipMillisecondsAt(segment, offset), play: isPlaying })
        break
      case 'note': {
        const { video, at, frame } = segment.note
        const loop = isPlaying ? loopOfNote(segment.note) : null
        if (loop) player.$loop.set(loop)
        showClip(video, { at, frame, play: loop !== null })
        break
      }
      case 'voice':
        if (isPlaying) replay.play(segment.voice, offset)
        else replay.open(segment.voice, offset)
        break
      case 'comparison':
        showComparison(segment, offset, isPlaying)
    }
    applySpeed(segment)
  }

  function showComparison(segment: PlaylistSegment & { kind: 'comparison' }, offset: number, isPlaying: boolean) {
    if (comparer?.$state.get() !== 'ready') return
    comparer.$loop.set(false)
    comparer.seek(comparisonMillisecondsAt(segment, offset))
    if (isPlaying && segment.speed > 0) comparer.play()
    else comparer.pause()
  }

  /** Reads the position that the segment's media has reached. `isWaiting`: the media is not ready yet, so no time passes. */
  function read(segment: PlaylistSegment): { position: number | null; isWaiting?: boolean; hasEnded?: boolean } {
    const status = player.$status.get()
    const isPictureMissing = status === 'unplayable' || status === 'unprepared'
    switch (segment.kind) {
      case 'clip': {
        const [frame, frames] = [player.$frame.get(), player.$frames.get()]
        const isAtEnd = frames > 0 && frame >= frames - 1 && !player.$playing.get()
        return { position: player.$time.get() - segment.from, isWaiting: status !== 'ready', hasEnded: isPictureMissing || isAtEnd }
      }
      case 'note':
        return { position: null, isWaiting: status !== 'ready' && !isPictureMissing && status !== 'unreachable' }
      case 'voice':
        return { position: replay.$time.get() }
      case 'comparison': {
        const comparisonState = comparer?.$state.get()
        if (!comparer || comparisonState === 'loading') return { position: null, isWaiting: true }
        if (segment.speed === 0) return { position: null }
        const at = comparer.$time.get()
        const isAtEnd = !comparer.$playing.get() && at >= comparer.range().to - 1
        return { position: (at - segment.from) / segment.speed, hasEnded: comparisonState !== 'ready' || isAtEnd }
      }
      case 'goal':
        return { position: null }
    }
  }

  function tick() {
    if (state.phase !== 'playing') return
    const { index } = state
    const { position, isWaiting, hasEnded } = read(playlist.segments[index]!)
    const now = performance.now()
    const elapsed = now - lastTickAt
    lastTickAt = now
    if (hasEnded) send({ type: 'ended', index })
    else if (!isWaiting) send({ type: 'ticked', index, elapsed, position })
  }

  /** Pauses the review if the browser has paused its media before the end, for example because headphones were unplugged. */
  function handleStop(kind: PlaylistSegment['kind'], isAtEnd: boolean) {
    if (state.phase === 'playing' && playlist.segments[state.index]!.kind === kind && !isAtEnd) send({ type: 'pause' })
  }
  const unsubscribes = [
    player.$time.listen(tick),
    replay.$time.listen(tick),
    player.$playing.listen(isPlaying => {
      if (isPlaying || player.$status.get() !== 'ready') return
      handleStop('clip', player.$frame.get() >= player.$frames.get() - 1)
    }),
    replay.$playing.listen(isPlaying => {
      if (isPlaying) return
      handleStop('voice', replay.$time.get() >= (replay.$voice.get()?.milliseconds ?? 0) - END_TOLERANCE_MS)
    }),
    replay.$problem.listen(problem => problem && send({ type: 'pause' })),
  ]

  const playback = {
    playlist,
    $phase,
    $segment,
    $position,
    $speed,
    /** Plays the review. Call it synchronously in a press handler, because phones allow sound only after a user gesture. */
    play() {
      replay.unlockSound()
      send({ type: 'play' })
    },
    pause: () => send({ type: 'pause' }),
    /** Pauses if anything is playing; otherwise plays the review. */
    toggle() {
      if (state.phase === 'playing') playback.pause()
      else if (player.$playing.get()) player.pause()
      else playback.play()
    },
    /** Seeks to a position in the playlist, in ms. */
    seek: (at: number) => send({ type: 'seek', at }),
    /** `1` skips to the next chapter; `-1` to the start of the current chapter or, if that has only just begun, of the previous one. */
    skip(by: 1 | -1) {
      const at = playlistMillisecondsOf(state)
      const { chapters, milliseconds } = playlist
      const to =
        by > 0
          ? chapters.find(c => c.start > at)?.start
          : chapters.findLast(c => c.start < at - (state.phase === 'playing' ? 1000 : 1))?.start
      send({ type: 'seek', at: to ?? (by > 0 ? milliseconds : 0) })
    },
    /** Hands the stage to the viewer, who chose this note; playing will resume at the note. */
    choose(note: string) {
      const index = segmentIndexOfNote(playlist, note)
      send(index < 0 ? { type: 'leave' } : { type: 'choose', index })
    },
    leave: () => send({ type: 'leave' }),
    setSpeed: (speed: number) => send({ type: 'setSpeed', speed }),
    /** Connects the comparison that the stage has mounted. Returns a function that disconnects it. */
    attachComparer(mounted: SyncedComparisonController) {
      comparer = mounted
      const stop = mounted.$state.subscribe(is => {
        const segment = playlist.segments[state.index]
        if (is !== 'ready' || segment?.kind !== 'comparison') return
        applySpeed(segment)
        showComparison(segment, state.offset, state.phase === 'playing')
      })
      return () => {
        stop()
        if (comparer === mounted) comparer = undefined
      }
    },
    close() {
      clearInterval(ticks)
      for (const unsubscribe of unsubscribes) unsubscribe()
    },
  }
  return playback
}
export type ReviewPlayback = ReturnType<typeof createReviewPlayback>
