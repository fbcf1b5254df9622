import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newReviewInput } from '../api/full-server.ts'
import { isSweepRun } from '../support/is-sweep-run.ts'
import { sampleVideos } from '../support/sample-media.ts'
import { manualUpload, startTestInstallation, type TestInstallation } from './test-installation.ts'

let w: TestInstallation
beforeAll(async () => {
  w = await startTestInstallation()
  await w.saveCard()
  await w.openPayouts()
}, 120_000)
afterAll(() => w?.server.stop())

const SLOW = { timeout: 300_000 }
/** Milliseconds between the request and the kill. `npm run sweep` kills the server early, halfway and late during a request. */
const MOMENTS = isSweepRun ? [4, 15, 45] : [15]

async function assigned() {
  const folder = await w.newFolder()
  const up = manualUpload(w.player, folder, await readFile(sampleVideos.mp4))
  await up.start()
  await up.put([1], 0)
  await up.complete()
  await w.waitUntilPrepared(up.id)
  const assignment = randomUUID()
  const { status } = await w.player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: w.instructor.id })
  expect(status).toBe(204)
  return { folder, video: up.id, assignment }
}
const due = async (assignment: string) => {
  const find = async () => (await w.player.call('GET', '/api/billing')).body.payments.find((p: { id: string }) => p.id === assignment)
  await expect.poll(find).toMatchObject({ id: assignment })
  return find()
}

test('a review is delivered and billed once, even if the server is killed midway', SLOW, async () => {
  for (const after of MOMENTS) {
    const { folder, video, assignment } = await assigned()
    const review = newReviewInput(video)
    const draft = { notes: review.notes, summary: review.summary, grades: [] }
    expect((await w.instructor.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft })).status).toBe(200)
    const key = { 'idempotency-key': randomUUID() }
    const deliver = () => w.instructor.call('POST', `/api/folders/${folder}/feedback`, review, key)
    await w.killDuring(deliver, after)

    const events = await w.eventTypesOf(`folder-${folder}`)
    if (!events.includes('FeedbackGiven')) {
      expect((await w.instructor.call('GET', `/api/folders/${folder}/draft`)).body).toEqual({ revision: 1, draft })
    }
    expect((await deliver()).status).toBe(204)
    const payment = await due(assignment)
    expect(payment).toMatchObject({ status: 'due', total: 1550 })
    expect((await w.eventTypesOf(`folder-${folder}`)).filter(type => type === 'FeedbackGiven')).toHaveLength(1)
    expect((await w.eventTypesOf(`payment-${assignment}`)).filter(type => type === 'PaymentOpened')).toHaveLength(1)
  }
})

test('a payment leads to one charge and one transfer, even if the server is killed', SLOW, async () => {
  for (const after of MOMENTS) {
    const { folder, video, assignment } = await assigned()
    await w.instructor.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))
    const { total } = await due(assignment)
    const key = { 'idempotency-key': randomUUID() }
    const pay = () => w.player.call('POST', `/api/payments/${assignment}/pay`, { tip: 300, total }, key)
    await w.killDuring(pay, after)
    await expect.poll(async () => (await pay()).body.status).toBe('paid')

    await expect.poll(() => w.eventTypesOf(`folder-${folder}`)).toContain('FolderPaid')
    await expect.poll(() => w.eventTypesOf(`payment-${assignment}`)).toContain('TransferMade')
    const events = await w.eventTypesOf(`payment-${assignment}`)
    for (const type of ['PaymentSucceeded', 'TransferMade']) expect([type, events.filter(t => t === type).length]).toEqual([type, 1])
    expect(events).not.toContain('ChargeDoubled')
    const charges = (await w.stripeClient().charges.list({ limit: 100 })).data.filter(c => c.metadata.payment === assignment && c.paid)
    expect(charges.map(c => c.amount)).toEqual([total + 300])
    const transfers = (await w.stripeClient().transfers.list({ limit: 100 })).data.filter(t => t.metadata.payment === assignment)
    expect(transfers.map(t => t.amount)).toEqual([1200 + 300])

    const again = await w.player.call('POST', `/api/payments/${assignment}/pay`, { tip: 0, total })
    expect([again.status, again.body.code, again.body.message]).toEqual([409, 'already-paid', 'This is already paid.'])
  }
})

test('the server survives when Postgres is killed, and nothing is lost or parked', SLOW, async () => {
  const pidFile = join(w.server.dataDir, 'postgres/data/postmaster.pid')
  const { pid } = w.server
  const folders: string[] = []
  const statuses = new Set<number>()
  /** Creates a folder. The server answers 503 as long as it has dead connections. */
  const createFolder = (id: string) => async () => {
    const { status, headers } = await w.player.call('POST', '/api/folders', { id, name: 'Swings' })
    statuses.add(status)
    if (status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/)
    return status
  }
  for (let kills = 0; kills < 2; kills++) {
    const [before, id] = [randomUUID(), randomUUID()]
    await expect.poll(createFolder(before)).toBe(201)
    process.kill(Number.parseInt(await readFile(pidFile, 'utf8'), 10), 'SIGKILL')
    await expect.poll(createFolder(id)).toBe(201)
    expect([...statuses].filter(status => status !== 503 && status !== 201)).toEqual([])
    folders.push(before, id)
  }
  const areAllListed = async () => {
    const { status, body } = await w.player.call('GET', '/api/folders')
    return status === 200 && folders.every(id => body.folders.some((f: { id: string }) => f.id === id))
  }
  await expect.poll(areAllListed).toBe(true)
  const ready = async () => {
    const { status, body } = await w.player.call('GET', '/api/ready')
    return [status, body.parked, body.lagging]
  }
  await expect.poll(ready).toEqual([200, [], []])
  expect(w.server.pid).toBe(pid)
})
