import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { BufferSource, Input, MP4 } from 'mediabunny'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { convertedVoiceKey, deliveredVoiceKey, parseVoiceKey, uploadedVoiceKey } from '../../../modules/media/object-keys.ts'
import { voiceUploads } from '../../../modules/media/voice-uploads.ts'
import { sampleVoice as recorded } from '../../support/sample-media.ts'
import { type MediaWorkerTestbed, startMediaWorkerTestbed } from './media-worker-testbed.ts'
import { collectItems, putToSignedUrl } from './temporary-object-store.ts'

let testbed: MediaWorkerTestbed
let bytes: Uint8Array
beforeAll(async () => {
  ;[testbed, bytes] = await Promise.all([startMediaWorkerTestbed(), readFile(recorded)])
})
afterEach(() => testbed.clear())
afterAll(() => testbed.end())

const type = 'audio/webm'
const newRecording = (file = bytes) => ({ id: randomUUID(), type, bytes: file.length }) as const
const send = async (assignment: string, recording: ReturnType<typeof newRecording>, file: Uint8Array, as: string = type) =>
  (await putToSignedUrl(await voiceUploads(testbed.objects).sign(assignment, recording), file, { 'content-type': as })).status

test('a signed URL accepts only its length and type; a stored copy never changes', async () => {
  const assignment = randomUUID()
  const [one, wrongType, absent] = [newRecording(), newRecording(), newRecording()]
  expect(await send(assignment, one, bytes.subarray(1))).toBe(403)
  expect(await send(assignment, one, bytes, 'text/html')).toBe(403)
  expect([await send(assignment, one, bytes), await send(assignment, one, bytes)]).toEqual([200, 200])
  await send(assignment, wrongType, new Uint8Array(bytes.length).fill(60))
  const { keep, forget } = voiceUploads(testbed.objects)
  expect(await keep(assignment, { ...one, bytes: one.bytes - 1 }, 'delivered')).toBe(false)
  expect(await Promise.all([one, wrongType, absent].map(recording => keep(assignment, recording, 'delivered')))).toEqual([
    true,
    false,
    false,
  ])
  const changed = new Uint8Array(bytes)
  changed[bytes.length - 1]! ^= 1
  expect(await send(assignment, one, changed)).toBe(200)
  expect(await keep(assignment, one, 'delivered')).toBe(true)
  expect(Buffer.from((await testbed.objects.read(deliveredVoiceKey(assignment, one.id), 0, 1e6))!).equals(bytes)).toBe(true)
  await forget(assignment)
  expect(await collectItems(testbed.objects.list(uploadedVoiceKey(assignment, '')))).toEqual([])
  expect(await keep(assignment, one, 'delivered')).toBe(true)
})

test.each([
  ['audio/webm', [0x1a, 0x45, 0xdf, 0xa3]],
  ['audio/mp4', [0, 0, 0, 20, ...Buffer.from('ftyp')]],
  ['audio/ogg', [...Buffer.from('OggS')]],
] as const)('%s is recognized only by all of its first bytes', async (type, begin) => {
  const assignment = randomUUID()
  const kept = async (...first: number[]) => {
    const [id, file] = [randomUUID(), new Uint8Array(20)]
    file.set(first)
    await testbed.objects.put(uploadedVoiceKey(assignment, id), type, file)
    return voiceUploads(testbed.objects).keep(assignment, { id, type, bytes: file.length }, 'delivered')
  }
  const half = begin.map((byte, i) => (i < begin.length - 2 ? byte : 0))
  expect([await kept(...begin), await kept(...half), await kept(7, ...begin), await kept()]).toEqual([true, false, false, false])
})

test('a recording of another size is not read, and a changed one is not stored', async () => {
  let reads = 0
  const kept = (bytes: number, file: Uint8Array | null) =>
    voiceUploads({
      ...testbed.objects,
      head: async key => (key.startsWith('voices/') ? { bytes, type } : null),
      read: async () => {
        reads++
        return file
      },
      put: () => Promise.reject(new Error('kept')),
    }).keep(randomUUID(), newRecording(), 'delivered')
  expect([await kept(bytes.length + 1, bytes), reads]).toEqual([false, 0])
  const longer = new Uint8Array(bytes.length + 1)
  longer.set(bytes)
  expect([await kept(bytes.length, longer), await kept(bytes.length, null), reads]).toEqual([false, false, 2])
})

test('the key of a voice-over contains its assignment', () => {
  const [assignment, voice] = [randomUUID(), randomUUID()]
  expect(parseVoiceKey(uploadedVoiceKey(assignment, voice))).toEqual({ delivered: false, assignment, voice })
  for (const key of [deliveredVoiceKey, convertedVoiceKey])
    expect(parseVoiceKey(key(assignment, voice))).toEqual({ delivered: true, assignment, voice })
  expect(parseVoiceKey(`videos/${assignment}/${voice}`)).toBeNull()
})

test('a voice-over becomes AAC of its length, even if cut off; other files are refused', async () => {
  const { end } = await testbed.worker({ loud: true })
  const add = async (file: Uint8Array) => {
    const [assignment, video] = [randomUUID(), randomUUID()]
    await testbed.objects.put(deliveredVoiceKey(assignment, video), type, file)
    await testbed.work.add({
      kind: 'voice',
      video,
      folder: randomUUID(),
      key: deliveredVoiceKey(assignment, video),
      type,
      bytes: file.length,
    })
    return { its: await testbed.settled(video, 'voice'), key: convertedVoiceKey(assignment, video) }
  }
  const soundOf = async (key: string) => {
    const input = new Input({ source: new BufferSource((await testbed.objects.read(key, 0, 1e6))!), formats: [MP4] })
    const track = (await input.getPrimaryAudioTrack())!
    return { codec: track.codec, seconds: await input.computeDuration() }
  }
  const whole = await add(bytes)
  expect(whole.its).toMatchObject({ kind: 'voice', state: 'ready', made: { voice: { bytes: expect.any(Number) } } })
  const { codec, seconds } = await soundOf(whole.key)
  expect(codec).toBe('aac')
  expect(seconds).toBeGreaterThan(3.1)
  expect(seconds).toBeLessThan(3.5)
  const broken = await add(bytes.subarray(0, bytes.length - 2000))
  expect(broken.its.state).toBe('ready')
  expect((await soundOf(broken.key)).seconds).toBeLessThan(seconds)
  expect((await add(new Uint8Array(3000).fill(60))).its).toMatchObject({ state: 'refused', code: 'damaged' })
  // A voice-over does not count as a waiting video.
  expect(await testbed.work.of([whole.its.video])).toEqual(new Map())
  await end()
})
