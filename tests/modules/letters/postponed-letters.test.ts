import { expect, test } from 'vitest'
import { letterErrandTestbed, makeRecipient } from './letter-errand-testbed.ts'

const due = '2026-03-16T01:00:00.000Z'
const atNight = async (id: string) => makeRecipient(id, { quietUntil: '2026-03-02T13:00:00.000Z' })

test('a minor reads in the morning that a guardian said no, unless the answer changed', async () => {
  let isConsentRefused = true
  const { sent, scheduled, run } = letterErrandTestbed({ person: atNight, isConsentRefused: async () => isConsentRefused })
  await run('consent-refused', { user: 'ana', deletedAt: due })
  expect(sent).toEqual([])
  const [postponed] = scheduled
  isConsentRefused = false
  await run('consent-refused', postponed!.payload)
  expect(sent).toEqual([])
  isConsentRefused = true
  await run('consent-refused', postponed!.payload)
  expect(sent.map(m => m.to)).toEqual(['ana@example.com'])
})

test('a minor reads about a deletion in the morning, and only if it is still due', async () => {
  let deletionDue: string | null = due
  const { sent, scheduled, run } = letterErrandTestbed({ person: atNight, deletionDue: async () => deletionDue })
  await run('deletion-scheduled', { user: 'ana', due, guardian: 'maria' })
  const [postponed] = scheduled
  for (const changed of [null, '2026-03-17T01:00:00.000Z']) {
    deletionDue = changed
    await run('deletion-scheduled', postponed!.payload)
    expect(sent).toEqual([])
  }
  deletionDue = due
  await run('deletion-scheduled', postponed!.payload)
  expect(sent.map(m => m.to)).toEqual(['ana@example.com'])
})

test('a letter to a minor that waited through the day is not sent the next night', async () => {
  let quietUntil: string | null = '2026-03-02T13:00:00.000Z'
  const guardian = { id: 'maria', name: 'Maria', email: 'maria@example.com' }
  const { sent, scheduled, run } = letterErrandTestbed({
    person: async id => makeRecipient(id, id === 'ana' ? { guardian, quietUntil } : {}),
  })
  await run('answer', { folder: 'f1', assignment: 'a' })
  quietUntil = '2026-03-03T13:00:00.000Z'
  await run('answer', scheduled[0]!.payload)
  expect(sent.map(m => m.to)).toEqual(['maria@example.com'])
  expect(scheduled.map(errand => errand.due)).toEqual(['2026-03-02T13:00:00.000Z', '2026-03-03T13:00:00.000Z'])
  quietUntil = null
  await run('answer', scheduled[1]!.payload)
  expect(sent.map(m => m.to)).toEqual(['maria@example.com', 'ana@example.com'])
})

test("a guardian's letter that failed at night is repeated without the player's", async () => {
  let quietUntil: string | null = '2026-03-02T13:00:00.000Z'
  let isMailDown = true
  const guardian = { id: 'maria', name: 'Maria', email: 'maria@example.com' }
  const { sent, scheduled, run } = letterErrandTestbed(
    { person: async id => makeRecipient(id, id === 'ana' ? { guardian, quietUntil } : {}) },
    () => {
      if (isMailDown) throw new Error('The mail server is down.')
    },
  )
  await expect(run('answer', { folder: 'f1', assignment: 'a' })).rejects.toThrow('The mail server is down.')
  isMailDown = false
  quietUntil = null
  await run('answer', scheduled[0]!.payload)
  await run('answer', { folder: 'f1', assignment: 'a' })
  expect(sent.map(m => m.to)).toEqual(['ana@example.com', 'maria@example.com'])
})

test('in the morning a minor reads that a video cannot be played, unless replaced', async () => {
  let isReplaced = false
  const refused = { player: 'ana', folder: 'Swings', reason: 'It is damaged.', isRequest: false, otherVideos: 0 }
  const { sent, scheduled, run } = letterErrandTestbed({ person: atNight, refusedVideo: async () => (isReplaced ? null : refused) })
  await run('video-refused', { folder: 'f1', video: 'v1' })
  expect(sent).toEqual([])
  isReplaced = true
  await run('video-refused', scheduled[0]!.payload)
  expect(sent).toEqual([])
  isReplaced = false
  await run('video-refused', scheduled[0]!.payload)
  expect(sent.map(m => m.to)).toEqual(['ana@example.com'])
})
