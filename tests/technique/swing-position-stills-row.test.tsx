import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { EarlierTechniquePositions } from '../../modules/folders/contract.ts'
import type { TechniquePosition } from '../../modules/reviews/contract.ts'
import { SwingPositionStillsRow } from '../../src/technique/SwingPositionStillsRow.tsx'
import { createSampleClipData, sampleVideoPropertiesAtRate } from '../review-video/sample-review.ts'

const clip = (id: string) => createSampleClipData(id, { media: sampleVideoPropertiesAtRate([100, 1]) })
const positions = (video: string, frames: Record<string, number>) =>
  Object.entries(frames).map(([name, frame]): TechniquePosition => ({ video, skill: 'hitting', name, frame, by: 'hand' }))

/** The row's texts: positions and the milliseconds between them, those of this session before those of the previous one. */
function textsOf(now: Record<string, number>, before?: Record<string, number>) {
  const html = renderToString(
    <SwingPositionStillsRow
      skill="hitting"
      clip={clip('a')}
      points={positions('a', now)}
      lastTime={
        before &&
        ({ given: '2026-05-02T16:00:00.000Z', checkpoints: positions('b', before), clips: [clip('b')] } as EarlierTechniquePositions)
      }
      canLoadStills={false}
      renewClip={async id => clip(id)}
      onPick={() => {}}
    />,
  )
  const row = html.slice(0, html.indexOf('</ol>')).replaceAll('<!-- -->', '')
  return [...row.matchAll(/<li.*?<\/li>/g)].map(([item]) =>
    item
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

test('the time to the next position is shown between neighbors', () => {
  expect(textsOf({ load: 10, contact: 30 })).toEqual(['Load Frame 11', '200 ms', 'Contact Frame 31'])
  expect(textsOf({ load: 10, contact: 30 }, { load: 5, contact: 20 })[1]).toBe('200 ms 150 ms')
})

test('a position marked in only one session hides no time of the other', () => {
  const [, afterLoad, stride, afterStride] = textsOf({ load: 10, contact: 30 }, { load: 5, stride: 12, contact: 20 })
  expect(stride).toContain('Not marked')
  expect([afterLoad, afterStride]).toEqual(['200 ms to contact 70 ms', '80 ms'])
  const [, today, , todayAfterStride] = textsOf({ load: 5, stride: 12, contact: 20 }, { load: 10, contact: 30 })
  expect([today, todayAfterStride]).toEqual(['70 ms 200 ms to contact', '80 ms'])
})
