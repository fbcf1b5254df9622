import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resendMailer } from '../../../modules/letters/resend-mailer.ts'
import { startMailbox } from '../../../src/embedded/mailbox.ts'
import { letterErrandTestbed, makeRecipient } from './letter-errand-testbed.ts'

let dataDir: string
let mailbox: Awaited<ReturnType<typeof startMailbox>>
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-mailer-'))
  mailbox = await startMailbox({ dataDir, log: pino({ enabled: false }) })
})
afterAll(async () => {
  await mailbox.stop()
  await rm(dataDir, { recursive: true })
})

test('a letter that is tried again with a new link counts as sent, and arrives once', async () => {
  let links = 0
  const guardian = { id: 'maria', name: 'Maria', email: 'maria@example.com' }
  const { run } = letterErrandTestbed(
    {
      person: async id => makeRecipient(id, id === 'ana' ? { guardian } : {}),
      familyLink: async (_, page) => `https://ours.test${page}?token=${links++}`,
    },
    undefined,
    resendMailer(mailbox.config, 'DiamondLink <hello@ours.test>'),
  )
  await run('feedback-given', { folder: 'f1', assignment: 'a' })
  await run('feedback-given', { folder: 'f1', assignment: 'a' })
  expect(links).toBe(2)
  const received = (await (await fetch(`${mailbox.pages}/letters.json`)).json()) as { to: string[] }[]
  expect(received.flatMap(letter => letter.to).sort()).toEqual(['ana@example.com', 'maria@example.com'])
})
