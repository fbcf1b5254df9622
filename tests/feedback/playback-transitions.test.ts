import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createPlaybackState,
  locateSegment,
  type PlaybackEffect,
  type PlaybackEvent,
  playbackTransition,
  playlistMillisecondsOf,
} from '../../src/feedback/watch/playback-transitions.ts'

const durations = [1000, 2500, 400]

/** Returns the state and all effects after these events. */
function stateAfter(events: readonly PlaybackEvent[]) {
  const effects: PlaybackEffect[] = []
  let state = createPlaybackState(durations)
  for (const event of events) {
    const [next, more] = playbackTransition(state, event)
    state = next
    effects.push(...more)
  }
  return { state, effects }
}
const tick = (index: number, elapsed: number, position: number | null = null): PlaybackEvent => ({
  type: 'ticked',
  index,
  elapsed,
  position,
})

const anyEvent: fc.Arbitrary<PlaybackEvent> = fc.oneof(
  fc.constant<PlaybackEvent>({ type: 'play' }),
  fc.constant<PlaybackEvent>({ type: 'pause' }),
  fc.constant<PlaybackEvent>({ type: 'leave' }),
  fc.record({ type: fc.constant('seek' as const), at: fc.integer({ min: -100, max: 5000 }) }),
  fc.record({ type: fc.constant('choose' as const), index: fc.nat(2) }),
  fc.record({ type: fc.constant('setSpeed' as const), speed: fc.constantFrom(0.75, 1, 2) }),
  fc.record({ type: fc.constant('ended' as const), index: fc.nat(2) }),
  fc.record({
    type: fc.constant('ticked' as const),
    index: fc.nat(2),
    elapsed: fc.integer({ min: 0, max: 3000 }),
    position: fc.option(fc.integer({ min: -50, max: 3000 })),
  }),
)

describe('playback of a review', () => {
  test('presents each segment once, in order, and then finishes', () => {
    const ticks = Array.from({ length: 40 }, (_, i): PlaybackEvent => tick(0, 100 * (i >= 0 ? 1 : 0)))
    let state = stateAfter([{ type: 'play' }]).state
    const shown = [0]
    for (const { elapsed } of ticks as { elapsed: number }[]) {
      const [next, effects] = playbackTransition(state, tick(state.index, elapsed))
      state = next
      for (const e of effects) if (e.type === 'present') shown.push(e.index)
    }
    expect(shown).toEqual([0, 1, 2])
    expect(state.phase).toBe('finished')
    expect(playlistMillisecondsOf(state)).toBe(3900)
  })

  test('stays inside the playlist after any sequence of events', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), events => {
        const { state, effects } = stateAfter(events)
        expect(state.index).toBeGreaterThanOrEqual(0)
        expect(state.index).toBeLessThan(durations.length)
        expect(state.offset).toBeGreaterThanOrEqual(0)
        expect(state.offset).toBeLessThanOrEqual(durations[state.index]!)
        for (const e of effects) if (e.type === 'present') expect(e.offset).toBeLessThanOrEqual(durations[e.index]!)
      }),
    )
  })

  test('advances only while it plays', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), fc.nat(3000), (events, elapsed) => {
        const { state } = stateAfter([...events, { type: 'pause' }])
        expect(playbackTransition(state, tick(state.index, elapsed))).toEqual([state, []])
      }),
    )
  })

  test('ignores late reports about an earlier segment', () => {
    const { state } = stateAfter([{ type: 'play' }, { type: 'ended', index: 0 }, tick(0, 100, 990), { type: 'ended', index: 0 }])
    expect(state).toMatchObject({ index: 1, offset: 0, phase: 'playing' })
  })

  test('follows the clock of the playing media, else its own clock at the chosen speed', () => {
    const events: PlaybackEvent[] = [{ type: 'play' }, { type: 'setSpeed', speed: 2 }]
    expect(stateAfter([...events, tick(0, 100, 640)]).state.offset).toBe(640)
    expect(stateAfter([...events, tick(0, 100)]).state.offset).toBe(200)
  })

  test('resumes where the viewer left it, and starts over once finished', () => {
    const afterLeave = stateAfter([{ type: 'play' }, { type: 'ended', index: 0 }, tick(1, 500), { type: 'leave' }])
    expect(afterLeave.effects.at(-1)).toEqual({ type: 'release' })
    expect(playbackTransition(afterLeave.state, { type: 'play' })[1]).toEqual([{ type: 'present', index: 1, offset: 500, isPlaying: true }])
    const finished = stateAfter([{ type: 'play' }, ...[0, 1, 2].map(index => ({ type: 'ended' as const, index }))]).state
    expect(finished.phase).toBe('finished')
    expect(playbackTransition(finished, { type: 'play' })[1]).toEqual([{ type: 'present', index: 0, offset: 0, isPlaying: true }])
  })

  test('resumes at the segment that the viewer chose', () => {
    const { state, effects } = stateAfter([{ type: 'choose', index: 2 }, { type: 'play' }])
    expect(state).toMatchObject({ index: 2, phase: 'playing' })
    expect(effects.map(e => e.type)).toEqual(['release', 'present'])
  })

  test('seeks to any position, and stays playing or paused', () => {
    expect(locateSegment(durations, 1200)).toEqual({ index: 1, offset: 200 })
    expect(locateSegment(durations, 99_999)).toEqual({ index: 2, offset: 400 })
    expect(stateAfter([{ type: 'play' }, { type: 'seek', at: 1200 }]).effects.at(-1)).toMatchObject({ isPlaying: true })
    expect(stateAfter([{ type: 'play' }, { type: 'pause' }, { type: 'seek', at: 0 }]).effects.at(-1)).toMatchObject({ isPlaying: false })
  })
})
