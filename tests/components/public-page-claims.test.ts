import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Review } from '../../modules/folders/contract.ts'
import { type FolderEvent, folderDecider } from '../../modules/folders/folder.ts'
import { MAX_VIDEO_BYTES, MAX_VIDEOS_PER_SESSION } from '../../modules/folders/policy.ts'
import { calculatePrice, FULL_PRICE_TERMS, LOWEST_UNDISCOUNTED_SESSION_PRICE_CENTS } from '../../modules/payments/pricing.ts'
import { angleDegrees } from '../../src/drawing/shape-geometry.ts'
import { deciderSpec } from '../support/decider-spec.ts'

// Statements on the public pages that a unit test can check. The limits, prices and ages on the built pages are checked in
// tests/pages/policy-figures-on-pages.test.ts.

test('“From $15.50” is the price of the smallest session, and no session costs less', () => {
  expect(LOWEST_UNDISCOUNTED_SESSION_PRICE_CENTS).toBe(1550)
  const billable = fc.record({
    videos: fc.integer({ min: 1, max: MAX_VIDEOS_PER_SESSION }),
    bytes: fc.integer({ min: 1, max: MAX_VIDEOS_PER_SESSION * MAX_VIDEO_BYTES }),
    notes: fc.nat(60),
  })
  fc.assert(
    fc.property(billable, of => calculatePrice({ billable: of, terms: FULL_PRICE_TERMS }).total >= LOWEST_UNDISCOUNTED_SESSION_PRICE_CENTS),
  )
})

test('drawings, voice-overs, comparisons, goals and grades do not raise the price', () => {
  const added: FolderEvent = {
    type: 'VideoAdded',
    data: {
      video: { id: 'v', name: 'a.mp4', type: 'video/mp4', bytes: 9, milliseconds: 0, width: 9, height: 9, key: 'k', poster: null },
    },
  }
  const quote = { items: [], total: 1550, atMost: 2500 }
  const assigned: FolderEvent = {
    type: 'FolderAssigned',
    data: {
      assignment: 's',
      player: 'p',
      instructor: 'i',
      message: null,
      quote,
      terms: null,
      follows: null,
      videos: [{ id: 'v', bytes: 9 }],
    },
  }
  const inReview = deciderSpec(folderDecider).given({ type: 'FolderCreated', data: { player: 'p', name: 'Swings' } }, added, assigned)
  const billed = (review: Review) => {
    const events = inReview.when('deliver', { instructor: 'i', review, comparable: [{ folder: 'f', video: 'v' }] }).decide()
    const given = events.find(e => e.type === 'FeedbackGiven')
    return given?.type === 'FeedbackGiven' ? given.data.billable : undefined
  }
  const shape = { tool: 'line' as const, color: 0, width: 9, p: [0, 0, 9, 9], from: 0, hold: 1, fade: 0 }
  const note = { id: 'n', video: 'v', at: 0, kind: 'tip' as const, text: 'Firm.' }
  const side = { folder: 'f', video: 'v', origin: 0, offset: 0, scale: 1 }
  const plain: Review = { summary: 'Good.', notes: [note], grades: [] }
  const rich: Review = {
    ...plain,
    notes: [
      {
        ...note,
        shapes: [
          { ...shape, id: 'd1' },
          { ...shape, id: 'd2' },
        ],
        voice: 'o1',
      },
    ],
    grades: [{ skill: 'hitting', grade: 50 }],
    voices: ['o1', 'o2'].map(id => ({ id, video: 'v', frame: 0, milliseconds: 9, bytes: 9, type: 'audio/mp4', actions: [] })),
    comparisons: [{ id: 'c', title: '', sides: [side, side], mode: 'side', stretch: false }],
    checkpoints: [{ video: 'v', skill: 'hitting', name: 'contact', frame: 0, by: 'hand' }],
    goals: [{ id: 'g', text: 'Turn', state: 'given' }],
  }
  expect(billed(rich)).toEqual(billed(plain))
  expect(billed(rich)).toEqual({ videos: 1, bytes: 9, notes: 1 })
})

test('the angle drawn in the swing illustration is as large as its label says', async () => {
  const picture = await readFile(new URL('../../src/components/SwingIllustration.astro', import.meta.url), 'utf8')
  const [, path] = /stroke="var\(--sky\)"[^>]*><path d="M([\d L]+)"/.exec(picture)!
  const [a, b, c, d, e, f] = path!.split(/[ L]/).map(Number) as [number, number, number, number, number, number]
  const points = [
    { x: a, y: b },
    { x: c, y: d },
    { x: e, y: f },
  ]
  expect(`${angleDegrees(points, 1)}°`).toBe(/>(\d+°)</.exec(picture)![1])
})
