/**
 * The state of a review that is played as a whole; `playbackTransition` changes it. `idle`: not started. `left`: the viewer has
 * taken control of the stage, and playing will resume at `index`.
 */
export interface PlaybackState {
  /** Duration of each segment of the playlist, in ms. */
  readonly durations: readonly number[]
  readonly phase: 'idle' | 'playing' | 'paused' | 'left' | 'finished'
  /** The current segment, and the position within it in ms. */
  readonly index: number
  readonly offset: number
  readonly speed: number
}

/** What happens to a playing review: its viewer's actions, and reports from its media. */
export type PlaybackEvent =
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  /** `at`: in ms from the start of the playlist. */
  | { readonly type: 'seek'; readonly at: number }
  /** The viewer chose a segment and took control of the stage. */
  | { readonly type: 'choose'; readonly index: number }
  /** The viewer took control of the stage. */
  | { readonly type: 'leave' }
  | { readonly type: 'setSpeed'; readonly speed: number }
  /**
   * `elapsed` ms have passed. `position`: ms within the segment, measured by the media that plays (a video, a voice-over); null if only the
   * system clock measures time. `index`: the segment that `position` belongs to; if it is no longer the current one, the event is ignored.
   */
  | { readonly type: 'ticked'; readonly index: number; readonly elapsed: number; readonly position: number | null }
  /** The media of the segment has reached its end. */
  | { readonly type: 'ended'; readonly index: number }

/** Side effects that `review-playback.ts` performs for the state machine. */
export type PlaybackEffect =
  /** Shows a segment on the stage. */
  | { readonly type: 'present'; readonly index: number; readonly offset: number; readonly isPlaying: boolean }
  /** Pauses the media, which stays on the stage. */
  | { readonly type: 'pause' }
  /** Pauses the media and hands the stage to the viewer. */
  | { readonly type: 'release' }
  | { readonly type: 'setSpeed'; readonly speed: number }

/** The next state, and the effects to perform, in order. */
export type PlaybackTransition = readonly [PlaybackState, readonly PlaybackEffect[]]

export const createPlaybackState = (durations: readonly number[]): PlaybackState => ({
  durations,
  phase: 'idle',
  index: 0,
  offset: 0,
  speed: 1,
})

/** The current position in the playlist, in ms. */
export const playlistMillisecondsOf = ({ durations, index, offset }: PlaybackState) =>
  durations.slice(0, index).reduce((sum, ms) => sum + ms, 0) + offset

/**
 * Returns the segment at `at` ms from the start of the playlist, and the position within it in ms; if `at` is beyond the end of the
 * playlist, the end of the last segment.
 */
export function locateSegment(durations: readonly number[], at: number): { index: number; offset: number } {
  let offset = Math.max(0, at)
  for (const [index, milliseconds] of durations.entries()) {
    if (offset < milliseconds) return { index, offset }
    offset -= milliseconds
  }
  const index = Math.max(0, durations.length - 1)
  return { index, offset: durations[index] ?? 0 }
}

const present = (state: PlaybackState): PlaybackTransition => [
  state,
  [{ type: 'present', index: state.index, offset: state.offset, isPlaying: state.phase === 'playing' }],
]

/** Continues with the next segment; after the last one the review is finished. */
function advance(state: PlaybackState): PlaybackTransition {
  const { index, durations } = state
  if (index + 1 < durations.length) return present({ ...state, index: index + 1, offset: 0 })
  return [{ ...state, phase: 'finished', offset: durations[index] ?? 0 }, [{ type: 'pause' }]]
}

/** The pure state machine that plays a review: returns the next state and the effects of an event. */
export function playbackTransition(state: PlaybackState, event: PlaybackEvent): PlaybackTransition {
  switch (event.type) {
    case 'play':
      if (state.phase === 'playing' || !state.durations.length) return [state, []]
      return present({ ...state, phase: 'playing', ...(state.phase === 'finished' && { index: 0, offset: 0 }) })
    case 'pause':
      return state.phase === 'playing' ? [{ ...state, phase: 'paused' }, [{ type: 'pause' }]] : [state, []]
    case 'seek':
      if (!state.durations.length) return [state, []]
      return present({ ...state, ...locateSegment(state.durations, event.at), phase: state.phase === 'playing' ? 'playing' : 'paused' })
    case 'choose':
      return [{ ...state, phase: 'left', index: event.index, offset: 0 }, [{ type: 'release' }]]
    case 'leave':
      return state.phase === 'idle' || state.phase === 'left' ? [state, []] : [{ ...state, phase: 'left' }, [{ type: 'release' }]]
    case 'setSpeed':
      return [{ ...state, speed: event.speed }, [{ type: 'setSpeed', speed: event.speed }]]
    case 'ticked': {
      if (state.phase !== 'playing' || event.index !== state.index) return [state, []]
      const offset = Math.max(0, event.position ?? state.offset + event.elapsed * state.speed)
      return offset >= state.durations[state.index]! ? advance(state) : [{ ...state, offset }, []]
    }
    case 'ended':
      return state.phase === 'playing' && event.index === state.index ? advance(state) : [state, []]
  }
}
