import { expect, test, vi } from 'vitest'
import { loadMediaEngine } from '../../../modules/media/preparation-process/media-engine.ts'
import { MediaRefusal } from '../../../modules/media/preparation-process/media-refusal.ts'

const loading = vi.hoisted(() => ({ error: new Error('There is none for this platform.') }))
vi.mock('node-av', () => {
  throw loading.error
})

test('on a platform without a media engine, each video is refused with that reason', async () => {
  const refusal = await loadMediaEngine().catch(error => error)
  expect([refusal instanceof MediaRefusal, refusal.code]).toEqual([true, 'no-encoder'])
})

test('a shortage of file handles refuses no video, so that it is tried again', async () => {
  vi.resetModules()
  loading.error = Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  const { loadMediaEngine } = await import('../../../modules/media/preparation-process/media-engine.ts')
  const failure = await loadMediaEngine().catch(error => error)
  expect(failure.code).not.toBe('no-encoder')
  expect(failure.cause ?? failure).toBe(loading.error)
})

test('a refusal tells operators its cause if there is one', () => {
  expect(new MediaRefusal('lost').causeText).toBe(undefined)
  expect(new MediaRefusal('damaged', new Error('no moov')).causeText).toBe('Error: no moov')
})
