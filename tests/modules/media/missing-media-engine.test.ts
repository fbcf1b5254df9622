import { expect, test, vi } from 'vitest'
import { loadMediaEngine } from '../../../modules/media/preparation-process/media-engine.ts'
import { MediaRefusal } from '../../../modules/media/preparation-process/media-refusal.ts'

vi.mock('node-av', () => {
  throw new Error('There is none for this platform.')
})

test('on a platform without a media engine, each video is refused with that reason', async () => {
  const refusal = await loadMediaEngine().catch(error => error)
  expect([refusal instanceof MediaRefusal, refusal.code]).toEqual([true, 'no-encoder'])
})

test('a refusal tells operators its cause if there is one', () => {
  expect(new MediaRefusal('lost').causeText).toBe(undefined)
  expect(new MediaRefusal('damaged', new Error('no moov')).causeText).toBe('Error: no moov')
})
