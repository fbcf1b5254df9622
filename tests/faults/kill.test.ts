import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reviewOf } from '../api/stage.ts'
import { grown, samples } from '../support/media.ts'
import { sweep } from '../support/sweep.ts'
import { uploading, type World, world } from './world.ts'

let w: World
beforeAll(async () => {
  w = await world()
  await w.saveCard()
  await w.openPayouts()
}, 120_000)
afterAll(() => w?.server.stop())

const SLOW = { timeout: 300_000 }
/** Milliseconds between the request and the kill: early, in the middle, late. */
const MOMENTS = sweep ? [4, 15, 45] : [15]
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const clipsOf = async (folder: string) => (await w.player.call('GET', `/api/folders/${folder}`)).body.clips
const small = () => readFile(samples.mp4)

async function assigned() {
  const folder = await w.newFolder()
  const up = uploading(w.player, folder, await small())
  await up.start()
  await up.put([1], 0)
  await up.complete()
  const assignment = randomUUID()
  const { status } = await w.player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: w.instructor.id })
  expect(status).toBe(204)
  return { folder, video: up.id, assignment }
}
const due = async (assignment: string) => {
  const find = async () => (await w.player.call('GET', '/api/billing')).body.payments.find((p: { id: string }) => p.id === assignment)
  await expect.poll(find, { timeout: 20_000 }).toMatchObject({ id: assignment })
  return find()
}

test('killed in the middle of an upload: the parts are there, the rest follows, the bytes are the same', SLOW, async () => {
  const file = await readFile(await grown(samples.mp4, 26 * 1024 * 1024))
  const folder = await w.newFolder()
  const up = uploading(w.player, folder, file)
  const { partBytes, parts } = (await up.start()).body
  expect(parts).toBe(4)
  await up.put([1], partBytes)
  await w.killDuring(() => up.put([3], partBytes), 25)

  const { uploads } = (await w.player.call('GET', `/api/uploads?folder=${folder}`)).body
  const arrived: number[] = uploads[0].arrived.map((p: { number: number }) => p.number)
  expect(arrived).toContain(1)
  await up.put(
    [1, 2, 3, 4].filter(n => !arrived.includes(n)),
    partBytes,
  )
  expect((await up.complete()).status).toBe(200)
  const [clip] = await clipsOf(folder)
  expect(sha(new Uint8Array(await (await fetch(clip.url)).arrayBuffer()))).toBe(sha(file))
})

test('uploads that nobody takes up again after the kill leave nothing behind, and what was added stays as it was sent', SLOW, async () => {
  const file = await readFile(await grown(samples.mp4, 26 * 1024 * 1024))
  const anew = async () => uploading(w.player, await w.newFolder(), file)
  for (const after of MOMENTS) await w.killDuring((await anew()).start, after)
  const left = await anew()
  const { partBytes } = (await left.start()).body
  await w.killDuring(() => left.put([1, 2], partBytes), 100)

  const folder = await w.newFolder()
  const kept = uploading(w.player, folder, file)
  await kept.start()
  await kept.put([1, 2, 3, 4], partBytes)
  expect((await kept.complete()).status).toBe(200)

  const { videos, unfinished } = await w.sweptTomorrow()
  expect(unfinished).toEqual([])
  expect(videos).toContain(`videos/${folder}/${kept.id}`)
  for (const key of videos) expect(await w.log(`folder-${key.split('/')[1]}`)).toContain('VideoAdded')
  const [clip, ...more] = await clipsOf(folder)
  expect(more).toEqual([])
  expect(sha(new Uint8Array(await (await fetch(clip.url)).arrayBuffer()))).toBe(sha(file))
})

test('killed while a video comes into its folder: it comes in once', SLOW, async () => {
  const folder = await w.newFolder()
  const up = uploading(w.player, folder, await readFile(await grown(samples.mp4, 26 * 1024 * 1024)))
  const { partBytes } = (await up.start()).body
  await up.put([1, 2, 3, 4], partBytes)
  for (const after of MOMENTS) await w.killDuring(up.complete, after)
  expect((await up.complete()).body).toEqual({ video: up.id })
  expect((await w.log(`folder-${folder}`)).filter(type => type === 'VideoAdded')).toHaveLength(1)
  const [clip] = await clipsOf(folder)
  expect((await fetch(clip.url, { headers: { range: 'bytes=0-99' } })).status).toBe(206)
})

test('killed while feedback is delivered: it is given once, and billed once', SLOW, async () => {
  for (const after of MOMENTS) {
    const { folder, video, assignment } = await assigned()
    const review = reviewOf(video)
    const draft = { notes: review.notes, summary: review.summary, grades: [] }
    expect((await w.instructor.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft })).status).toBe(200)
    const key = { 'idempotency-key': randomUUID() }
    const deliver = () => w.instructor.call('POST', `/api/folders/${folder}/feedback`, review, key)
    await w.killDuring(deliver, after)

    const events = await w.log(`folder-${folder}`)
    if (!events.includes('FeedbackGiven')) {
      expect((await w.instructor.call('GET', `/api/folders/${folder}/draft`)).body).toEqual({ revision: 1, draft })
    }
    expect((await deliver()).status).toBe(204)
    const payment = await due(assignment)
    expect(payment).toMatchObject({ status: 'due', total: 1550 })
    expect((await w.log(`folder-${folder}`)).filter(type => type === 'FeedbackGiven')).toHaveLength(1)
    expect((await w.log(`payment-${assignment}`)).filter(type => type === 'PaymentOpened')).toHaveLength(1)
  }
})

test('killed while it is paid: one charge, one transfer, one folder paid', SLOW, async () => {
  for (const after of MOMENTS) {
    const { folder, video, assignment } = await assigned()
    await w.instructor.call('POST', `/api/folders/${folder}/feedback`, reviewOf(video))
    const { total } = await due(assignment)
    const key = { 'idempotency-key': randomUUID() }
    const pay = () => w.player.call('POST', `/api/payments/${assignment}/pay`, { tip: 300, total }, key)
    await w.killDuring(pay, after)
    await expect.poll(async () => (await pay()).body.status, { timeout: 60_000 }).toBe('paid')

    await expect.poll(() => w.log(`folder-${folder}`), { timeout: 60_000 }).toContain('FolderPaid')
    await expect.poll(() => w.log(`payment-${assignment}`), { timeout: 60_000 }).toContain('TransferMade')
    const events = await w.log(`payment-${assignment}`)
    for (const type of ['PaymentSucceeded', 'TransferMade']) expect([type, events.filter(t => t === type).length]).toEqual([type, 1])
    expect(events).not.toContain('ChargeDoubled')
    const charges = (await w.bank().charges.list({ limit: 100 })).data.filter(c => c.metadata.payment === assignment && c.paid)
    expect(charges.map(c => c.amount)).toEqual([total + 300])
    const transfers = (await w.bank().transfers.list({ limit: 100 })).data.filter(t => t.metadata.payment === assignment)
    expect(transfers.map(t => t.amount)).toEqual([1200 + 300])

    const again = await w.player.call('POST', `/api/payments/${assignment}/pay`, { tip: 0, total })
    expect([again.status, again.body.code, again.body.message]).toEqual([409, 'already-paid', 'This is already paid.'])
  }
})

test(
  'Postgres killed under a running server: it is back by itself, meanwhile asked for again, and nothing is lost or put aside',
  SLOW,
  async () => {
    const pidFile = join(w.server.dataDir, 'postgres/data/postmaster.pid')
    const { pid } = w.server
    const folders: string[] = []
    const statuses = new Set<number>()
    /** A folder is asked for: as long as its server has connections that are gone, with 503. */
    const made = (id: string) => async () => {
      const { status, headers } = await w.player.call('POST', '/api/folders', { id, name: 'Swings' })
      statuses.add(status)
      if (status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/)
      return status
    }
    for (let kills = 0; kills < 2; kills++) {
      const [before, id] = [randomUUID(), randomUUID()]
      await expect.poll(made(before), { timeout: 30_000 }).toBe(201)
      process.kill(Number.parseInt(await readFile(pidFile, 'utf8'), 10), 'SIGKILL')
      await expect.poll(made(id), { timeout: 30_000 }).toBe(201)
      expect([...statuses].filter(status => status !== 503 && status !== 201)).toEqual([])
      folders.push(before, id)
    }
    const seen = async () => {
      const { status, body } = await w.player.call('GET', '/api/folders')
      return status === 200 && folders.every(id => body.folders.some((f: { id: string }) => f.id === id))
    }
    await expect.poll(seen, { timeout: 20_000 }).toBe(true)
    const ready = async () => {
      const { status, body } = await w.player.call('GET', '/api/ready')
      return [status, body.parked, body.lagging]
    }
    await expect.poll(ready, { timeout: 20_000 }).toEqual([200, [], []])
    expect(w.server.pid).toBe(pid)
  },
)
