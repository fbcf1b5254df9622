import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { convertedVoiceKey, deliveredVoiceKey } from '../../../modules/media/object-keys.ts'
import { MAX_VOICE_MS } from '../../../modules/reviews/policy.ts'
import { ffmpegPath } from '../../support/test-clips.ts'
import { type MediaWorkerTestbed, startMediaWorkerTestbed } from './media-worker-testbed.ts'

let testbed: MediaWorkerTestbed
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'longest-voice-'))
  testbed = await startMediaWorkerTestbed()
})
afterAll(async () => {
  await testbed.end()
  await rm(dir, { recursive: true })
})

test.skipIf(!ffmpegPath)('a voice-over one second below the maximum length is prepared (needs ffmpeg)', { timeout: 240_000 }, async () => {
  const path = join(dir, `${randomUUID()}.webm`)
  const seconds = MAX_VOICE_MS / 1000 - 1
  const noise = `anoisesrc=c=pink:a=0.3:d=${seconds}`
  await promisify(execFile)(ffmpegPath!, ['-v', 'error', '-f', 'lavfi', '-i', noise, '-ac', '1', '-c:a', 'libopus', '-b:a', '32k', path])
  const bytes = await readFile(path)
  const [assignment, video] = [randomUUID(), randomUUID()]
  const key = deliveredVoiceKey(assignment, video)
  await testbed.objects.put(key, 'audio/webm', bytes)
  await testbed.work.add({ kind: 'voice', video, folder: randomUUID(), key, type: 'audio/webm', bytes: bytes.length })
  // The probe limits of a video, which are too small here, do not apply to a voice-over.
  const { end } = await testbed.worker({ limits: { probeCpuSeconds: 0.01, probeSeconds: 0.01 } })
  expect(await testbed.settled(video, 'voice')).toMatchObject({ state: 'ready', tries: 1 })
  // The output has 48,000 bits, or 6000 bytes, per second.
  expect((await testbed.objects.head(convertedVoiceKey(assignment, video)))?.bytes).toBeGreaterThan(seconds * 4000)
  await end()
})
