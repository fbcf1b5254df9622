/**
 * Watching a review, as a pure machine. `idle`: not begun. `left`: the viewer uses the stage by hand, and playing goes on from `index`.
 */
export interface ConductorState {
  /** How long each segment of the program lasts, ms. */
  readonly durations: readonly number[]
  readonly phase: 'idle' | 'playing' | 'paused' | 'left' | 'finished'
  /** The segment that is shown, and the ms within it. */
  readonly index: number
  readonly offset: number
  readonly speed: number
}

export type ConductorEvent =
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  /** `at`: ms of the program. */
  | { readonly type: 'seek'; readonly at: number }
  /** The viewer chose a segment to look at by hand. */
  | { readonly type: 'choose'; readonly index: number }
  /** The viewer uses the stage by hand. */
  | { readonly type: 'leave' }
  | { readonly type: 'setSpeed'; readonly speed: number }
  /**
   * Time has passed. `position`: ms within the segment by the clock of what plays (a video, a voice); null where only this machine's clock
   * runs. `index`: the segment that it was read of; a reading of an earlier segment is dropped.
   */
  | { readonly type: 'ticked'; readonly index: number; readonly elapsed: number; readonly position: number | null }
  /** What plays has come to its end. */
  | { readonly type: 'ended'; readonly index: number }

export type ConductorEffect =
  /** Brings a segment onto the stage. */
  | { readonly type: 'present'; readonly index: number; readonly offset: number; readonly isPlaying: boolean }
  /** What plays stops, and stays on the stage. */
  | { readonly type: 'pause' }
  /** What plays stops, and the stage belongs to the viewer. */
  | { readonly type: 'release' }
  | { readonly type: 'setSpeed'; readonly speed: number }

export type ConductorTransition = readonly [ConductorState, readonly ConductorEffect[]]

export const createConductorState = (durations: readonly number[]): ConductorState => ({
  ...{ durations, phase: 'idle', index: 0, offset: 0, speed: 1 },
})

/** The ms of the program that have been shown. */
export const positionOf = ({ durations, index, offset }: ConductorState) =>
  durations.slice(0, index).reduce((sum, ms) => sum + ms, 0) + offset

export function locate(durations: readonly number[], at: number): { index: number; offset: number } {
  let offset = Math.max(0, at)
  for (const [index, milliseconds] of durations.entries()) {
    if (offset < milliseconds) return { index, offset }
    offset -= milliseconds
  }
  const index = Math.max(0, durations.length - 1)
  return { index, offset: durations[index] ?? 0 }
}

const present = (state: ConductorState): ConductorTransition => [
  state,
  [{ type: 'present', index: state.index, offset: state.offset, isPlaying: state.phase === 'playing' }],
]

/** Goes on to the next segment; after the last one the review is finished. */
function advance(state: ConductorState): ConductorTransition {
  const { index, durations } = state
  if (index + 1 < durations.length) return present({ ...state, index: index + 1, offset: 0 })
  return [{ ...state, phase: 'finished', offset: durations[index] ?? 0 }, [{ type: 'pause' }]]
}

export function step(state: ConductorState, event: ConductorEvent): ConductorTransition {
  switch (event.type) {
    case 'play':
      if (state.phase === 'playing' || !state.durations.length) return [state, []]
      return present({ ...state, phase: 'playing', ...(state.phase === 'finished' && { index: 0, offset: 0 }) })
    case 'pause':
      return state.phase === 'playing' ? [{ ...state, phase: 'paused' }, [{ type: 'pause' }]] : [state, []]
    case 'seek':
      if (!state.durations.length) return [state, []]
      return present({ ...state, ...locate(state.durations, event.at), phase: state.phase === 'playing' ? 'playing' : 'paused' })
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
