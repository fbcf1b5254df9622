import { expect, test } from 'vitest'
import type { ComparableSession, Video } from '../../modules/folders/contract.ts'
import { createClock } from '../../src/comparison/clock.ts'
import { momentsOf, type NamedPair, namedIn, pairOf } from '../../src/comparison/named.ts'
import { packetsOf } from '../../src/comparison/packets.ts'
import { layoutOf } from '../../src/comparison/paint.ts'

function running() {
  let now = 5000
  const clock = createClock(() => now)
  clock.range(-1000, 3000)
  const pass = (milliseconds: number) => {
    now += milliseconds
    return clock.tick()
  }
  return { clock, pass }
}

test('a clock goes at its rate while it plays, and stands otherwise', () => {
  const { clock, pass } = running()
  expect(pass(400)).toBe(0)
  clock.play()
  expect(pass(400)).toBe(400)
  clock.rate(0.25)
  expect(pass(400)).toBe(500)
  clock.pause()
  expect(pass(400)).toBe(500)
  clock.seek(-5000)
  expect(pass(1)).toBe(-1000)
})

test('what was waited for is not made up: it goes on where it was held', () => {
  const { clock, pass } = running()
  clock.play()
  pass(100)
  clock.hold(60)
  expect(pass(30)).toBe(90)
})

test('at the end it begins again, or stops there and begins again when it is asked to play', () => {
  const { clock, pass } = running()
  clock.play()
  expect([pass(2999), pass(2), pass(10)]).toEqual([2999, -1000, -990])
  clock.$loop.set(false)
  expect([pass(9000), clock.$playing.get()]).toEqual([3000, false])
  clock.play()
  expect(pass(10)).toBe(-990)
})

test('pictures lie beside each other where that shows them larger, else under each other; a divider and a ghost need one place', () => {
  const wide = 16 / 9
  const desk = layoutOf('side', { width: 1204, height: 400 }, [wide, wide])
  expect(desk.map(r => [Math.round(r.left), Math.round(r.width)])).toEqual([
    [0, 600],
    [604, 600],
  ])
  const [above, below] = layoutOf('side', { width: 390, height: 440 }, [wide, wide])
  expect([below.left, below.width, below.top > above.top + above.height]).toEqual([above.left, above.width, true])
  const upright = layoutOf('side', { width: 390, height: 440 }, [9 / 16, 9 / 16])
  expect(upright[1].top).toBe(upright[0].top)
  const [a, b] = layoutOf('slider', { width: 400, height: 400 }, [wide, wide])
  expect(a).toEqual(b)
})

const video = (id: string) => ({ id, name: id, added: '2026-06-03T10:00:00Z' }) as Video
const point = (video: string, name: string, frame: number) => ({ video, skill: 'hitting' as const, name, frame, by: 'hand' as const })
const session = (id: string, clips: string[], checkpoints: ComparableSession['checkpoints'] = []): ComparableSession => ({
  ...{ id, folder: { id: `f-${id}`, name: 'Tee' }, assigned: '2026-06-03T10:00:00Z', given: null, checkpoints },
  clips: clips.map(video),
})

test('clips of sessions are named once each, and synced on positions that both have', () => {
  const clips = namedIn(
    [session('now', ['a', 'b']), session('june', ['z', 'b'], [point('z', 'contact', 70), point('z', 'load', 9)])],
    'now',
  )
  expect(clips.map(c => [c.clip.id, c.of])).toEqual([
    ['a', 'This session'],
    ['b', 'This session'],
    ['z', 'Tee, Jun 3, 2026'],
  ])
  const side = (video: string) => ({ folder: 'f', video, origin: 0, offset: 0, scale: 1 })
  const pair = pairOf({ sides: [side('a'), side('z')] }, clips) as NamedPair
  expect(pairOf({ sides: [side('a'), side('gone')] }, clips)).toBeUndefined()
  expect(pair.map(({ of }) => of)).toEqual(['This session', 'Tee, Jun 3, 2026'])
  // Two of one session are told apart.
  expect(pairOf({ sides: [side('a'), side('b')] }, clips)?.map(({ of, clip }) => of === clip.name)).toEqual([true, true])
  expect(momentsOf(pair, [point('a', 'contact', 41), point('a', 'stride', 20), point('b', 'load', 3)])).toEqual([
    { name: 'contact', frames: [41, 70] },
  ])
})

test('what is no rendition is refused, wherever it breaks off', () => {
  const box = (type: string, ...inside: number[][]) => {
    const body = inside.flat()
    return [...[24, 16, 8, 0].map(n => ((body.length + 8) >> n) & 255), ...[...type].map(c => c.charCodeAt(0)), ...body]
  }
  const bad = [[], [0, 0, 0, 9, 1], box('moov'), box('moov', box('trak')), box('moov', [0, 0, 1, 0, 116, 114, 97, 107])]
  for (const bytes of bad) expect(() => packetsOf(new Uint8Array(bytes).buffer)).toThrow()
})
