import { BufferSource, Input, MP4, QTFF } from 'mediabunny'
import { describe, expect, test } from 'vitest'
import { VideoProperties } from '../../../modules/media/contract.ts'
import { buildFrameTable, type FrameTable, MAX_FRAMES_PER_VIDEO } from '../../../modules/media/frames.ts'
import { MAX_PIXELS_IN_ALL_FRAMES, MAX_VIDEO_MINUTES, MAX_VIDEO_SIDE_PIXELS } from '../../../modules/media/policy.ts'
import { constantFrameRateOf, readContainer } from '../../../modules/media/read-container.ts'
import { buildMp4, type Mp4Track } from './mp4-builder.ts'

const look = (type: string, ...tracks: Mp4Track[]) =>
  readContainer(new Input({ source: new BufferSource(buildMp4(...tracks)), formats: [MP4, QTFF] }), type)
const frames = (count: number, ticks = 20) => Array<number>(count).fill(ticks)
const sound: Mp4Track = { kind: 'sound', scale: 48_000, lengths: frames(60, 1024) }

test('the container is read for codec, size, frames and duration', async () => {
  expect(await look('video/mp4', { lengths: frames(60) })).toEqual({
    media: {
      container: 'mp4',
      codec: 'avc',
      width: 320,
      height: 240,
      rotation: 0,
      milliseconds: 2000,
      frames: 60,
      rate: [30, 1],
      variable: false,
      hdr: false,
      sound: false,
      captureRate: null,
    },
    table: { version: 1, scale: 600, first: 0, runs: [[60, 20]] },
    flip: false,
    tracks: { video: { id: 1, place: 1 }, audio: null },
    starts: { video: 0, audio: null, shown: 0 },
    picture: { packets: 60, bytes: 120, width: 320, height: 240 },
  })
})

test('the properties of a video name its container: MP4, MOV or WEBM', async () => {
  const containers = ['video/mp4', 'video/quicktime', 'video/webm'].map(
    async type => (await look(type, { lengths: frames(2) })).media.container,
  )
  expect(await Promise.all(containers)).toEqual(['mp4', 'mov', 'webm'])
})

test('a rotated picture has its size as displayed, and a mirrored picture is marked', async () => {
  const [one, other, mirrored] = await Promise.all(
    ([90, 270, 'mirrored'] as const).map(orientation => look('video/mp4', { lengths: frames(2), orientation })),
  )
  expect([one!.media, one!.flip]).toMatchObject([{ width: 240, height: 320, rotation: 90 }, false])
  expect([other!.media, other!.flip]).toMatchObject([{ width: 240, height: 320, rotation: 270 }, false])
  expect([mirrored!.media, mirrored!.flip]).toMatchObject([{ width: 320, height: 240, rotation: 0 }, true])
})

test('HDR colors and an unknown codec are recognized', async () => {
  const hdr = [1, 16, 18].map(async transfer => (await look('video/mp4', { lengths: frames(2), transfer })).media.hdr)
  expect(await Promise.all(hdr)).toEqual([false, true, true])
  expect((await look('video/quicktime', { lengths: frames(2), codec: 'mjpa' })).media.codec).toBe('unknown')
})

test('an audio track without packets counts as no sound', async () => {
  const [audible, silent] = await Promise.all(
    [sound, { ...sound, lengths: [] }].map(track => look('video/mp4', { lengths: frames(60) }, track)),
  )
  expect([audible!.media.sound, audible!.starts.audio]).toEqual([true, 0])
  expect([silent!.media.sound, silent!.starts.audio]).toEqual([false, null])
})

describe('the frame table', () => {
  test('has the frames in display order, up to the end of the last frame', async () => {
    const { table, media, starts } = await look('video/mp4', { lengths: [20, 10, 20], offsets: [20, 30, 0] })
    expect(table).toEqual({
      version: 1,
      scale: 600,
      first: 20,
      runs: [
        [1, 10],
        [1, 20],
        [1, 10],
      ],
    })
    expect([media.milliseconds, media.rate, starts.video, starts.shown]).toEqual([67, null, 20 / 600, 20 / 600])
  })
  test('omits the frames that an edit list hides, and stores their duration', async () => {
    const { table, media, starts } = await look('video/mp4', { lengths: frames(60), hidden: 40 })
    expect(table).toEqual({ version: 1, scale: 600, first: 0, hidden: 40, runs: [[58, 20]] })
    expect([media.frames, media.milliseconds, starts.video, starts.shown]).toEqual([58, 1934, -40 / 600, 0])
    const within = await look('video/mp4', { lengths: frames(60), hidden: 45 })
    expect(within.table).toMatchObject({
      first: 0,
      hidden: 45,
      runs: [
        [1, 15],
        [57, 20],
      ],
    })
    expect([within.starts.video, within.starts.shown]).toEqual([-45 / 600, -5 / 600])
  })
  test('gives the last frame the length of the previous one, and no frame a zero length', async () => {
    const ofLengths = async (...lengths: number[]) => (await look('video/mp4', { lengths })).table.runs
    expect(await ofLengths(10, 30, 0)).toEqual([
      [1, 10],
      [2, 30],
    ])
    expect(await ofLengths(20, 0, 30)).toEqual([
      [1, 20],
      [1, 30],
    ])
    expect(await ofLengths(20, 0, 0)).toEqual([
      [1, 20],
      [1, 1],
    ])
  })
})

describe('readContainer refuses', () => {
  const refusal = async (...tracks: Mp4Track[]) => {
    const [its] = await Promise.allSettled([look('video/mp4', ...tracks)])
    return its.status === 'rejected' ? its.reason.code : null
  }
  test('a file without a picture', async () => {
    expect(await refusal(sound)).toBe('no-picture')
    expect(await refusal({ lengths: [] }, sound)).toBe('no-picture')
    expect(await refusal({ lengths: [20, 20], hidden: 40 })).toBe('no-picture')
  })
  test('a single picture', async () => {
    expect([await refusal({ lengths: [20] }), await refusal({ lengths: [20, 20] })]).toEqual(['still', null])
  })
  test.each([
    [1, 240, 'damaged'],
    [320, 1, 'damaged'],
    [2, 2, null],
    [MAX_VIDEO_SIDE_PIXELS, 2, null],
    [MAX_VIDEO_SIDE_PIXELS + 1, 2, 'too-large'],
    [2, MAX_VIDEO_SIDE_PIXELS + 1, 'too-large'],
  ])('a size that is too small or too large: %d × %d → %s', async (width, height, code) => {
    expect(await refusal({ lengths: frames(2), width, height })).toBe(code)
  })
  test('videos that are too long, or have too many pixels or frames', async () => {
    const minutes = (ticks: number) => ({ lengths: [...frames(60 * MAX_VIDEO_MINUTES - 1, 600), 600 + ticks] })
    expect([await refusal(minutes(0)), await refusal(minutes(1))]).toEqual([null, 'too-long'])
    const most = Math.floor(MAX_PIXELS_IN_ALL_FRAMES / MAX_VIDEO_SIDE_PIXELS ** 2)
    const large = (count: number) => ({ lengths: frames(count, 1), width: MAX_VIDEO_SIDE_PIXELS, height: MAX_VIDEO_SIDE_PIXELS })
    expect([await refusal(large(most)), await refusal(large(most + 1))]).toEqual([null, 'too-long'])
    expect([
      await refusal({ lengths: frames(MAX_FRAMES_PER_VIDEO, 1) }),
      await refusal({ lengths: frames(MAX_FRAMES_PER_VIDEO + 1, 1) }),
    ]).toEqual([null, 'too-long'])
  })
})

describe('the frame rate', () => {
  const rate = (scale: number, ...runs: FrameTable['runs']) => constantFrameRateOf({ version: 1, scale, first: 0, runs })
  const turns = (one: number, other: number): FrameTable['runs'] => Array.from({ length: 40 }, (_, i) => [1, i % 2 ? other : one])

  const whole = [24, 25, 30, 48, 50, 60, 90, 100, 120, 180, 240, 480, 960].map(n => [n, 1])
  test.each([...whole, ...[24000, 30000, 60000, 120000, 240000].map(n => [n, 1001])])(
    'of a camera is recognized in a millisecond clock: %d/%d',
    (n, d) => {
      const starts = Array.from({ length: 4001 }, (_, i) => Math.round((i * 1000 * d!) / n!))
      expect(constantFrameRateOf(buildFrameTable(1000, starts.slice(0, -1), starts.at(-1)!)!)).toEqual([n, d])
    },
  )
  test('ignores the duration of the last frame', () => {
    expect([rate(600, [59, 20], [1, 500]), rate(600, [58, 20], [2, 500]), rate(600, [60, 20])]).toEqual([[30, 1], null, [30, 1]])
  })
  test('of a single frame is unknown', () => {
    expect(rate(600, [1, 20])).toBeNull()
  })
  test('is constant if no frame differs by more than a tenth, or by a millisecond tick', () => {
    expect([rate(600, ...turns(18, 22), [2, 20]), rate(600, ...turns(17, 23), [2, 20])]).toEqual([[30, 1], null])
    expect([rate(1000, ...turns(4, 5), [1, 9]), rate(1001, ...turns(4, 5), [1, 9])]).toEqual([[222_222, 1000], null])
    expect(rate(1000, ...turns(3, 6), [1, 9])).toBeNull()
  })
  test('is a fraction over 1000 if a second has no whole number of ticks', () => {
    const ticks = 1e9 / 0xff_ff_ff
    expect(VideoProperties.shape.rate.parse(rate(ticks, [20, 1000]))).toEqual([60, 1000])
    expect(rate(ticks, [20, 100])).toEqual([596, 1000])
  })
  test('is returned unchanged if no camera has it', () => {
    expect([rate(600, [60, 50]), rate(600, [60, 48]), rate(600, [60, 600])]).toEqual([
      [12, 1],
      [25, 2],
      [1, 1],
    ])
    expect([rate(30_010, [60, 1000]), rate(30_016, [60, 1000]), rate(29_950, [60, 1000])]).toEqual([
      [30, 1],
      [3752, 125],
      [599, 20],
    ])
  })
})
