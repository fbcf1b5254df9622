import { expect, test, vi } from 'vitest'
import { engine } from '../../../modules/media/child/engine.ts'
import { Refusal } from '../../../modules/media/child/refusal.ts'

vi.mock('node-av', () => {
  throw new Error('There is none for this platform.')
})

test('where there is nothing to prepare with, a video is refused as that; a program is not asked for the library', async () => {
  const none = await engine(null).catch(error => error)
  expect([none instanceof Refusal, none.code]).toEqual([true, 'no-encoder'])
  expect(Object.keys(await engine('/usr/bin/ffmpeg')).sort()).toEqual(['render', 'stills', 'voice'])
})
