import { expect, test, vi } from 'vitest'
import { engine } from '../../../modules/media/child/engine.ts'
import { Refusal } from '../../../modules/media/child/refusal.ts'

vi.mock('node-av', () => {
  throw new Error('There is none for this platform.')
})

test('a video is refused with its own reason where this platform has no engine', async () => {
  const none = await engine().catch(error => error)
  expect([none instanceof Refusal, none.code]).toEqual([true, 'no-encoder'])
})
