import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_SINGLE_UPLOAD_BYTES, UPLOAD_PART_BYTES } from '../../../modules/folders/policy.ts'
import { Refused } from '../../../modules/kernel/store.ts'
import { incomingVideoKey, posterKey, videoKey } from '../../../modules/media/object-keys.ts'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { type SweepResult, uploadSweeper } from '../../../modules/media/upload-sweeper.ts'
import { type DeclaredUpload, type Upload, type Uploads, uploads } from '../../../modules/media/uploads.ts'
import { UnplayableFile } from '../../../modules/media/windowed-source.ts'
import { database } from '../../support/postgres.ts'
import { box, join, mov, mp4 } from './container-builders.ts'
import { collectAll, put, temporaryObjects } from './temporary-object-store.ts'

const HOUR = 3600_000
let db: Awaited<ReturnType<typeof database>>
let server: Awaited<ReturnType<typeof temporaryObjects>>
let objects: ObjectStore
let now: number
let moving: Uploads
/** What the log knows. */
let added: Set<string>

beforeAll(async () => {
  ;[db, server] = await Promise.all([database(), temporaryObjects()])
  objects = server.store
  moving = uploads(db.sql, objects, () => new Date(now))
})
afterAll(() => Promise.all([server.stop(), db.end()]))
beforeEach(async () => {
  now = Date.now()
  added = new Set()
  await db.sql`truncate uploads`
  for (const prefix of ['videos/', 'posters/', 'incoming/'])
    for (const { key } of await collectAll(objects.list(prefix))) await objects.remove(key)
  for (const upload of await collectAll(objects.multiparts())) await objects.abort(upload)
})

const player = randomUUID()
const room = () => {}
const declare = (file: Uint8Array, more: Partial<DeclaredUpload> = {}): DeclaredUpload => ({
  id: randomUUID(),
  folder: randomUUID(),
  player,
  name: 'swing.mp4',
  type: 'video/mp4',
  bytes: file.length,
  fingerprint: 'swing',
  ...more,
})
const send = async (u: Upload, file: Uint8Array, numbers: number[]) => {
  for (const part of await moving.sign(u, numbers)) {
    const start = (part.number - 1) * u.partBytes
    expect((await put(part.url, file.subarray(start, start + part.bytes))).status).toBe(200)
  }
}
const add = async (u: Upload) => {
  added.add(u.id)
  return u
}
const finish = (u: Upload) => moving.complete(u.id, player, { poster: true }, add)
const code = (name: string) => expect.objectContaining({ code: name, message: expect.stringMatching(/^[A-Z].*[.]$/) })
/** A file of 3 parts. */
const large = () => join(mp4(), box('free', new Uint8Array(MAX_SINGLE_UPLOAD_BYTES)))
const sweep = (everything = true): Promise<SweepResult> =>
  uploadSweeper({
    sql: db.sql,
    objects,
    uploads: moving,
    clock: () => new Date(now),
    log: { info: () => {}, error: () => {} },
    inFolder: async (_, video) => added.has(video),
    inReview: async () => true,
  }).sweep(everything)

test('a small file goes in one piece, a large one in parts', async () => {
  const small = await moving.start(declare(mp4(), { bytes: MAX_SINGLE_UPLOAD_BYTES - 1 }), room)
  expect((await moving.sign(small, [1])).map(p => p.bytes)).toEqual([MAX_SINGLE_UPLOAD_BYTES - 1])
  const of = (parts: string) => ({ message: `This upload has ${parts}.`, field: 'numbers' })
  await expect(moving.sign(small, [1, 2])).rejects.toMatchObject(of('1 part'))
  await expect(moving.sign(small, [2])).rejects.toEqual(code('no-part'))
  const parted = await moving.start(declare(mp4(), { bytes: MAX_SINGLE_UPLOAD_BYTES }), room)
  expect((await moving.sign(parted, [4, 1])).map(p => p.bytes)).toEqual([
    MAX_SINGLE_UPLOAD_BYTES - 3 * UPLOAD_PART_BYTES,
    UPLOAD_PART_BYTES,
  ])
  await expect(moving.sign(parted, [5])).rejects.toEqual(code('no-part'))
  await expect(moving.sign(parted, [5])).rejects.toMatchObject(of('4 parts'))
})

test('what arrived is added, with the length that the file itself says', async () => {
  const u = await moving.start(declare(mp4()), room)
  await send(u, mp4(), [1])
  expect(await finish(u)).toMatchObject({ id: u.id, milliseconds: 2500, poster: false })
  expect(await objects.head(videoKey(u.folder, u.id))).toEqual({ bytes: u.bytes, type: 'video/mp4' })
  expect(await moving.unfinished(u.folder)).toEqual([])
})

test('no upload URL names where a video is read, and none changes a checked video', async () => {
  const u = await moving.start(declare(mp4()), room)
  const [part] = await moving.sign(u, [1])
  const still = await moving.signPoster(u, 54)
  for (const url of [part!.url, still]) expect(new URL(url).pathname).toMatch(/^\/[\w-]+\/incoming\//)
  await send(u, mp4(), [1])
  await finish(u)
  await put(part!.url, mp4().fill(1), {})
  expect([...(await objects.read(videoKey(u.folder, u.id), 0, u.bytes))!]).toEqual([...mp4()])
  expect(await collectAll(objects.list('incoming/'))).toEqual([])
})

test('an upload that an earlier version began under the final key can be completed', async () => {
  const u = await moving.start(declare(mp4()), room)
  await objects.abort({ key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart })
  const multipart = await objects.begin(videoKey(u.folder, u.id), 'video/mp4')
  await db.sql`update uploads set upload_key = null, multipart = ${multipart} where id = ${u.id}`
  const before = (await moving.find(u.id, player))!
  await send(before, mp4(), [1])
  expect(await moving.arrived(before)).toHaveLength(1)
  await finish(before)
  expect(await objects.head(videoKey(u.folder, u.id))).toEqual({ bytes: u.bytes, type: 'video/mp4' })
})

test('starting twice finds the same upload; another file, folder or person is refused', async () => {
  const declared = declare(mp4())
  const [one, two] = await Promise.all([moving.start(declared, room), moving.start(declared, room)])
  expect(two).toEqual(one)
  expect(await collectAll(objects.multiparts())).toHaveLength(1)
  for (const other of [{ bytes: 5 }, { folder: randomUUID() }, { player: randomUUID() }, { type: 'video/webm' }]) {
    await expect(moving.start({ ...declared, ...other }, room)).rejects.toEqual(code('upload-differs'))
  }
  expect(await moving.find(declared.id, randomUUID())).toBeNull()
})

test('the folder is asked for room, counting what is on its way', async () => {
  const folder = randomUUID()
  const asked: number[] = []
  for (let i = 0; i < 3; i++) await moving.start(declare(mp4(), { folder }), coming => asked.push(coming))
  expect(asked).toEqual([0, 0, 0, 1, 0, 2])
  const full = (coming: number) => {
    if (coming) throw new Refused('Full.')
  }
  await expect(moving.start(declare(mp4(), { folder }), full)).rejects.toThrow('Full.')
  expect(await moving.unfinished(folder)).toHaveLength(3)
  expect(await collectAll(objects.multiparts())).toHaveLength(3)
})

test('half of it arrives, the rest later, and the bytes are what was sent', async () => {
  const file = large()
  const u = await moving.start(declare(file), room)
  await send(u, file, [1, 3])
  expect((await moving.arrived(u)).map(p => p.number)).toEqual([1, 3])
  await expect(finish(u)).rejects.toEqual(code('part-missing'))
  // As long as the one that is missing, or not: it is this one.
  await send(u, file, [4])
  await expect(finish(u)).rejects.toThrow('Part 2 of 4 has not arrived.')
  await send(u, file, [2])
  await finish(u)
  expect((await moving.arrived((await moving.find(u.id, player))!)).map(p => [p.number, p.bytes])).toEqual([
    ...[1, 2, 3].map(number => [number, UPLOAD_PART_BYTES]),
    [4, file.length - 3 * UPLOAD_PART_BYTES],
  ])
  for (let at = 0; at < file.length; at += UPLOAD_PART_BYTES) {
    const read = await objects.read(videoKey(u.folder, u.id), at, at + UPLOAD_PART_BYTES)
    expect(Buffer.compare(read!, file.subarray(at, at + UPLOAD_PART_BYTES))).toBe(0)
  }
})

test('completing again after a crash anywhere adds the video once', async () => {
  const u = await moving.start(declare(mp4()), room)
  await send(u, mp4(), [1])
  // The object was put together, and the server died.
  const multipart = { key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart }
  await objects.complete(multipart, (await objects.parts(multipart))!)
  expect((await moving.arrived(u)).map(p => p.number)).toEqual([1])
  expect((await moving.start(u, room)).id).toBe(u.id)
  // The bytes were checked, and it died before the event; and after the event.
  const died = async () => {
    throw new Error('killed')
  }
  await expect(moving.complete(u.id, player, { poster: false }, died)).rejects.toThrow('killed')
  expect((await moving.find(u.id, player))!.status).toBe('checked')
  const eventThenDeath = (checked: Upload) => add(checked).then(died)
  await expect(moving.complete(u.id, player, { poster: false }, eventThenDeath)).rejects.toThrow('killed')
  expect(await finish(u)).toMatchObject({ milliseconds: 2500 })
  expect(await finish(u)).toMatchObject({ milliseconds: 2500 })
  expect((await moving.find(u.id, player))!.status).toBe('done')
})

test('two completions at once both succeed', async () => {
  const u = await moving.start(declare(mp4()), room)
  await send(u, mp4(), [1])
  const both = await Promise.all([finish(u), finish(u)])
  expect(both.map(b => b.milliseconds)).toEqual([2500, 2500])
})

test('a file that is not what it says is refused and leaves nothing', async () => {
  const text = new TextEncoder().encode('My swing, in words. '.repeat(50))
  for (const [file, its] of [
    [text, 'not-a-video'],
    [mov(), 'wrong-type'],
    [mp4().slice(0, -5), 'truncated'],
  ] as const) {
    const u = await moving.start(declare(file), room)
    await send(u, file, [1])
    const refused = finish(u)
    await expect(refused).rejects.toBeInstanceOf(UnplayableFile)
    await expect(refused).rejects.toEqual(code(its))
    expect(await objects.head(videoKey(u.folder, u.id))).toBeNull()
    expect(await moving.find(u.id, player)).toBeNull()
  }
  expect(added.size).toBe(0)
})

test('a folder that does not take the video now keeps the bytes for later', async () => {
  const u = await moving.start(declare(mp4()), room)
  await send(u, mp4(), [1])
  const frozen = async () => {
    throw new Refused('Frozen.')
  }
  await expect(moving.complete(u.id, player, { poster: false }, frozen)).rejects.toThrow('Frozen.')
  expect((await moving.unfinished(u.folder)).map(x => x.id)).toEqual([u.id])
  expect(await finish(u)).toMatchObject({ id: u.id })
})

test('a poster is kept if it is a JPEG of 300 kB at most, and thrown away if not', async () => {
  const jpeg = (bytes: number) => join([0xff, 0xd8, 0xff, 0xda, 0, 2], new Uint8Array(bytes - 8), [0xff, 0xd9])
  for (const [bytes, kept] of [
    [jpeg(54), true],
    [jpeg(300_000), true],
    [jpeg(300_001), false],
    [new TextEncoder().encode('<html>'), false],
    ...[0, 1, 2].map(wrong => [jpeg(54).with(wrong, 7), false] as const),
  ] as const) {
    const u = await moving.start(declare(mp4()), room)
    await send(u, mp4(), [1])
    expect((await put(await moving.signPoster(u, bytes.length), bytes, { 'content-type': 'image/jpeg' })).status).toBe(200)
    expect(await finish(u)).toMatchObject({ poster: kept })
    expect((await objects.head(posterKey(u.folder, u.id))) !== null).toBe(kept)
  }
})

test('an upload that the store has dropped begins anew under the same id', async () => {
  const file = large()
  const u = await moving.start(declare(file), room)
  await send(u, file, [1])
  await objects.abort({ key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart })
  await expect(finish(u)).rejects.toEqual(code('part-missing'))
  expect(await moving.arrived(u)).toEqual([])
  const again = (await moving.find(u.id, player))!
  await send(again, file, [1, 2, 3, 4])
  expect(await finish(again)).toMatchObject({ id: u.id })
})

test('a file of another size than was announced is refused, and gone', async () => {
  const u = await moving.start(declare(mp4()), room)
  await objects.abort({ key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart })
  await objects.put(incomingVideoKey(u.folder, u.id), 'video/mp4', join(mp4(), box('free')))
  await expect(finish(u)).rejects.toEqual(code('wrong-size'))
  expect([await moving.find(u.id, player), await objects.head(videoKey(u.folder, u.id))]).toEqual([null, null])
})

test('two looks at what the store has dropped begin it anew once', async () => {
  const u = await moving.start(declare(mp4()), room)
  await objects.abort({ key: incomingVideoKey(u.folder, u.id), uploadId: u.multipart })
  await Promise.all([moving.arrived(u), moving.arrived(u), moving.arrived(u)])
  expect((await collectAll(objects.multiparts())).map(m => m.uploadId)).toEqual([(await moving.find(u.id, player))!.multipart])
})

test('what the sweeper takes in the middle of a completion is not added', async () => {
  const u = await moving.start(declare(mp4()), room)
  await send(u, mp4(), [1])
  const sweptMeanwhile: ObjectStore = {
    ...objects,
    read: async (...range) => {
      const bytes = await objects.read(...range)
      await db.sql`update uploads set status = 'sweeping' where id = ${u.id}`
      return bytes
    },
  }
  const completion = uploads(db.sql, sweptMeanwhile, () => new Date(now)).complete(u.id, player, { poster: false }, add)
  await expect(completion).rejects.toEqual(code('upload-gone'))
  expect(added.size).toBe(0)
  now += 25 * HOUR
  expect(await sweep()).toMatchObject({ uploads: 1 })
})

test.each(['parts', 'complete', 'head', 'read'] as const)('given up right before the completion’s `%s`, it says so', async step => {
  const u = await moving.start(declare(mp4()), room)
  await send(u, mp4(), [1])
  const hasty = {
    ...objects,
    [step]: async (...args: never[]) => {
      await moving.discard(u.id, ['uploading'])
      return (objects[step] as (...args: never[]) => Promise<unknown>)(...args)
    },
  } as ObjectStore
  const completion = uploads(db.sql, hasty, () => new Date(now)).complete(u.id, player, { poster: false }, add)
  await expect(completion).rejects.toEqual(code('upload-gone'))
  expect([added.size, await objects.head(videoKey(u.folder, u.id))]).toEqual([0, null])
})

test('a store failure during a discard is harmless; any other fails the completion', async () => {
  for (const given of [true, false]) {
    const u = await moving.start(declare(mp4()), room)
    await send(u, mp4(), [1])
    const broken = {
      ...objects,
      head: async () => {
        if (given) await moving.discard(u.id, ['uploading'])
        throw new Error('InvalidRequest')
      },
    }
    const completion = uploads(db.sql, broken, () => new Date(now)).complete(u.id, player, { poster: false }, add)
    await expect(completion).rejects.toMatchObject(given ? { code: 'upload-gone' } : { message: 'InvalidRequest' })
  }
})

test('a still that comes after its video was done is not shown, and swept', async () => {
  const jpeg = (fill: number) => join([0xff, 0xd8, 0xff, 0xda, 0, 2], new Uint8Array(46).fill(fill), [0xff, 0xd9])
  const u = await moving.start(declare(mp4()), room)
  await send(u, mp4(), [1])
  const url = await moving.signPoster(u, 54)
  const still = (fill: number) => put(url, jpeg(fill), { 'content-type': 'image/jpeg' })
  expect((await still(1)).status).toBe(200)
  await finish(u)
  expect(await collectAll(objects.list('incoming/'))).toEqual([])
  expect((await still(2)).status).toBe(200)
  await finish(u)
  const shown = await objects.read(posterKey(u.folder, u.id), 0, 100)
  expect([...shown!]).toEqual([...jpeg(1)])
  await sweep()
  expect(await collectAll(objects.list('incoming/'))).toHaveLength(1)
  now += 25 * HOUR
  await sweep()
  expect(await collectAll(objects.list('incoming/'))).toEqual([])
  expect(await objects.head(posterKey(u.folder, u.id))).not.toBeNull()
})

test('giving up leaves nothing, and is final', async () => {
  const u = await moving.start(declare(mp4()), room)
  await send(u, mp4(), [1])
  expect(await moving.discard(u.id, ['uploading'])).toBe(true)
  expect(await moving.discard(u.id, ['uploading'])).toBe(false)
  expect(await collectAll(objects.multiparts())).toEqual([])
  await expect(finish(u)).rejects.toEqual(code('upload-gone'))
})

test('one that is being given up is not begun again, and another goes on', async () => {
  const [declared, other] = [declare(mp4()), declare(mp4())]
  const [u, stays] = [await moving.start(declared, room), await moving.start(other, room)]
  await db.sql`update uploads set status = 'sweeping' where id = ${u.id}`
  await expect(moving.start(declared, room)).rejects.toEqual(code('upload-gone'))
  expect(await moving.find(u.id, player)).toBeNull()
  // A client that was interrupted during a discard may complete it.
  expect(await moving.discard(u.id, [])).toBe(true)
  expect(await moving.discard(stays.id, ['checked'])).toBe(false)
  expect(await moving.discard(stays.id, ['uploading'], new Date(now))).toBe(false)
  expect((await moving.find(stays.id, player))!.status).toBe('uploading')
  expect(await moving.discard(stays.id, ['uploading'], new Date(now + 1))).toBe(true)
})

test('signing and completing count as activity, so that an upload is not discarded', async () => {
  const file = mp4()
  const [u, other] = [await moving.start(declare(file), room), await moving.start(declare(file), room)]
  const touched = async ({ id }: Upload) => (await db.sql`select touched from uploads where id = ${id}`)[0]!.touched
  const [before, first] = [await touched(other), now]
  now += HOUR
  await send(u, file, [1])
  expect(Date.parse(await touched(u)) - first).toBe(HOUR)
  now += HOUR
  await finish(u)
  expect(Date.parse(await touched(u)) - first).toBe(2 * HOUR)
  expect(await touched(other)).toBe(before)
})

test("a browser's findings stay with their video or its replacement, and go with it", async () => {
  const replaces = randomUUID()
  const [u, other] = [await moving.start(declare(mp4(), { replaces }), room), await moving.start(declare(mp4()), room)]
  expect([u.replaces, other.replaces]).toEqual([replaces, null])
  for (const each of [u, other]) await send(each, mp4(), [1])
  const inside = { media: { codec: 'avc' }, table: { version: 1 } } as never
  await moving.complete(u.id, player, { poster: false, inside }, add)
  await finish(other)
  expect([await moving.inside(u.id), await moving.inside(other.id), await moving.inside(randomUUID())]).toEqual([inside, null, null])
  await moving.forget(u.folder, u.id)
  expect([await objects.head(videoKey(u.folder, u.id)), await moving.find(u.id, player)]).toEqual([null, null])
  expect([await objects.head(videoKey(other.folder, other.id)), (await moving.find(other.id, player))!.status]).toMatchObject([{}, 'done'])
})

test('the sweeper takes what nobody finished for a day, and nothing younger', async () => {
  const file = large()
  const old = await moving.start(declare(file), room)
  await send(old, file, [1])
  now += 23 * HOUR
  const young = await moving.start(declare(mp4()), room)
  expect(await sweep()).toEqual({ uploads: 0, multiparts: 0, objects: 0 })
  now += 2 * HOUR
  expect(await sweep()).toEqual({ uploads: 1, multiparts: 0, objects: 0 })
  expect(await moving.find(old.id, player)).toBeNull()
  expect((await collectAll(objects.multiparts())).map(m => m.uploadId)).toEqual([young.multipart])
})

test('the sweeper finishes an interrupted sweep, and trusts the log on added videos', async () => {
  const half = await moving.start(declare(mp4()), room)
  await send(half, mp4(), [1])
  await db.sql`update uploads set status = 'sweeping' where id = ${half.id}`
  const inFolder = await moving.start(declare(mp4()), room)
  await send(inFolder, mp4(), [1])
  await finish(inFolder)
  await db.sql`update uploads set status = 'checked' where id = ${inFolder.id}`
  const refused = await moving.start(declare(mp4()), room)
  await send(refused, mp4(), [1])
  await finish(refused)
  added.delete(refused.id)
  await db.sql`update uploads set status = 'checked' where id = ${refused.id}`
  now += 25 * HOUR
  expect(await sweep()).toMatchObject({ uploads: 2 })
  expect((await db.sql`select id, status from uploads`).map(r => [r.id, r.status])).toEqual([[inFolder.id, 'done']])
  expect(await objects.head(videoKey(inFolder.folder, inFolder.id))).not.toBeNull()
  expect(await objects.head(videoKey(refused.folder, refused.id))).toBeNull()
})

test('the sweeper takes only orphans, and nothing if there are too many of them', async () => {
  const [orphan, known, stranger] = [videoKey(randomUUID(), randomUUID()), videoKey(randomUUID(), randomUUID()), 'videos/readme.txt']
  for (const key of [orphan, known, stranger]) await objects.put(key, 'video/mp4', mp4())
  added.add(known.split('/')[2]!)
  await objects.begin(videoKey(randomUUID(), randomUUID()), 'video/mp4')
  expect(await sweep()).toEqual({ uploads: 0, multiparts: 0, objects: 0 })
  now += 25 * HOUR
  expect(await sweep(false)).toEqual({ uploads: 0, multiparts: 1, objects: 0 })
  // Whole, but its folder has not taken it yet.
  const waiting = await moving.start(declare(mp4()), room)
  await send(waiting, mp4(), [1])
  const frozen = async () => {
    throw new Refused('Frozen.')
  }
  await expect(moving.complete(waiting.id, player, { poster: false }, frozen)).rejects.toThrow('Frozen.')
  expect(await sweep()).toEqual({ uploads: 0, multiparts: 0, objects: 1 })
  const kept = [known, stranger, videoKey(waiting.folder, waiting.id)]
  expect((await collectAll(objects.list('videos/'))).map(o => o.key).sort()).toEqual(kept.sort())
  for (let i = 0; i < 51; i++) await objects.put(videoKey(randomUUID(), randomUUID()), 'video/mp4', new Uint8Array(1))
  expect(await sweep()).toMatchObject({ objects: 0 })
})

test('an upload that completes during a sweep is either added or gone, never both', async () => {
  for (let i = 0; i < 20; i++) {
    now = Date.now()
    const u = await moving.start(declare(mp4()), room)
    await send(u, mp4(), [1])
    now += 25 * HOUR
    const [completed] = await Promise.allSettled([finish(u), sweep(false)])
    const there = (await objects.head(videoKey(u.folder, u.id))) !== null
    if (completed.status === 'fulfilled') expect(there).toBe(true)
    else expect(added.has(u.id)).toBe(false)
  }
})
