import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueErrands } from '../../modules/jobs/outbox.ts'
import { recordSentLetters } from '../../modules/letters/sent-letters.ts'
import { exportedLettersOf } from '../../src/server/data-export-records.ts'
import { createAssignedFolder, type FullServer, startFullServer } from './full-server.ts'

let s: FullServer
beforeAll(async () => {
  s = await startFullServer()
})
afterAll(() => s.end())

test('a letter that was obsolete when its turn came is not listed as sent', async () => {
  const admin = await s.admin()
  const [player, coach] = [await s.player(), await s.instructor()]
  await s.saveCard(player.id)
  const { folder, assignment } = await createAssignedFolder(player, coach)
  const [sent, obsolete, olderRelease] = [randomUUID(), randomUUID(), randomUUID()]
  const due = '2999-01-01T00:00:00Z'
  const errand = (id: string, kind: string) => ({ id, kind: `letter.${kind}`, payload: { folder, assignment }, due })
  await enqueueErrands(s.sql, [errand(sent, 'declined'), errand(obsolete, 'answer'), errand(olderRelease, 'feedback-given')])
  await recordSentLetters(s.sql, sent, [sent])
  await recordSentLetters(s.sql, sent, [])
  await recordSentLetters(s.sql, obsolete, [])
  await s.sql`update errands set done = now() where id in ${s.sql([sent, obsolete, olderRelease])}`
  const listed = async () => {
    const { letters } = (await admin.call('GET', `/api/admin/people/${player.id}`)).body
    return Object.fromEntries(letters.map((l: { id: string; fate: string; obsolete: boolean }) => [l.id, [l.fate, l.obsolete]]))
  }
  // A letter about an assignment is found once the read model has the assignment.
  await expect.poll(listed, { timeout: 15_000 }).toMatchObject({
    [sent]: ['sent', false],
    [obsolete]: ['sent', true],
    [olderRelease]: ['sent', false],
  })
  const exported = (await exportedLettersOf(s.sql, player.id, 'player', [])).map(letter => letter.kind)
  expect(exported).toEqual(expect.arrayContaining(['declined', 'feedback-given']))
  expect(exported).not.toContain('answer')
})
