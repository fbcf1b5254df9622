import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  convertedVoiceKey,
  deliveredVoiceKey,
  draftVoiceKey,
  filmstripKey,
  frameTableKey,
  incomingPosterKey,
  incomingVideoKey,
  parseVideoKey,
  parseVoiceKey,
  posterKey,
  renditionKey,
  uploadedVoiceKey,
  videoKey,
  videoKeyPrefixes,
  voiceKeyPrefixes,
} from '../../../modules/media/object-keys.ts'

const [a, b] = [randomUUID(), randomUUID()]
const videos = [videoKey, posterKey, renditionKey, frameTableKey, filmstripKey]
const voices = [uploadedVoiceKey, draftVoiceKey, deliveredVoiceKey, convertedVoiceKey]

test('each kind of object has its own key prefix, which the sweeper knows', () => {
  expect(videos.map(key => key(a, b))).toEqual(
    ['videos', 'posters', 'renditions', 'tables', 'filmstrips'].map(prefix => `${prefix}/${a}/${b}`),
  )
  expect(videoKeyPrefixes).toEqual(['videos/', 'posters/', 'renditions/', 'tables/', 'filmstrips/'])
  expect(voices.map(key => key(a, b))).toEqual(['voices', 'drafted', 'spoken', 'heard'].map(prefix => `${prefix}/${a}/${b}`))
  expect(voiceKeyPrefixes).toEqual(['voices/', 'drafted/', 'spoken/', 'heard/'])
  expect([incomingPosterKey(a, b), incomingVideoKey(a, b)]).toEqual([`incoming/${a}/${b}`, `incoming/${a}/${b}/video`])
})

test('parsing a key gives folder and video, or assignment, voice-over and delivery', () => {
  for (const key of videos) expect([parseVideoKey(key(a, b)), parseVoiceKey(key(a, b))]).toEqual([{ folder: a, video: b }, null])
  expect(voices.map(key => parseVoiceKey(key(a, b))?.delivered)).toEqual([false, false, true, true])
  for (const key of voices) expect([parseVoiceKey(key(a, b)), parseVideoKey(key(a, b))]).toMatchObject([{ assignment: a, voice: b }, null])
})

test.each([
  '',
  `incoming/${a}/${b}`,
  `incoming/${a}/${b}/video`,
  `others/${a}/${b}`,
  `1videos/${a}/${b}`,
  `videos/${a}`,
  `videos/${a}/${b}/more`,
  `videos/${a}/${b}0`,
  `videos/${a}/0${b}`,
  `videos/0${a}/${b}`,
  `videos/${a.slice(1)}/${b}`,
  `videos/${a}/${b.slice(1)}`,
  `videos/${'z'.repeat(36)}/${b}`,
  `videos/${a}/${'z'.repeat(36)}`,
])('%s is not the key of a video or a voice-over', key => {
  expect([parseVideoKey(key), parseVoiceKey(key), parseVoiceKey(key.replace('videos', 'spoken'))]).toEqual([null, null, null])
})
