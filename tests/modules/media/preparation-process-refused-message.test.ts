import { constants } from 'node:os'
import { expect, test } from 'vitest'
import { MediaRefusal } from '../../../modules/media/preparation-process/media-refusal.ts'
import { catchMediaRefusalAsMessage } from '../../../modules/media/preparation-process/preparation-process-main.ts'

test.each([
  ["Node's name", 'EFBIG'],
  ["FFmpeg's number", -constants.errno.EFBIG],
])('a result larger than a preparation may write refuses the video as too long: %s', async (_, code) => {
  const error = Object.assign(new Error('file too large'), { code })
  expect(await catchMediaRefusalAsMessage(Promise.reject(error))).toEqual({ is: 'refused', code: 'too-long', why: 'Error: file too large' })
})

test('a refusal becomes a message, and every other error is thrown', async () => {
  expect(await catchMediaRefusalAsMessage(Promise.reject(new MediaRefusal('still')))).toEqual({ is: 'refused', code: 'still' })
  await expect(catchMediaRefusalAsMessage(Promise.reject(new Error('crashed')))).rejects.toThrow('crashed')
})
