import type postgres from 'postgres'
import { PermanentErrandError } from '../jobs/outbox.ts'
import type { Errand } from '../kernel/process.ts'
import { composeEmail } from './compose-email.tsx'
import type { LetterContent, SenderDetails } from './letter-components.tsx'
import type { GuardianAddressee, LetterDataSource, LetterErrand, LetterRecipient, PlayerAndInstructor } from './letter-data-source.ts'
import { morningErrandId } from './morning-errands.ts'
import { type Email, MailError } from './resend-mailer.ts'

export interface LetterDependencies {
  sql: postgres.Sql
  facts: LetterDataSource
  mail: { send(mail: Email): Promise<unknown> }
  /** Puts an errand into the outbox. */
  schedule(errand: Errand): Promise<unknown>
  /** Whether there is an errand with this id, performed or not. */
  isScheduled(errand: string): Promise<boolean>
  /** Records the ids of the letters that a run of an errand has sent. */
  recordSent(errand: string, letters: string[]): Promise<unknown>
  sender: SenderDetails
}

export type LetterSenderHelpers = ReturnType<typeof createLetterSender>

/** Runs all tasks even if some fail, then throws one of their errors: a temporary one if there is any, so that the errand is retried. */
export async function runAllThenThrow(all: (() => Promise<unknown>)[]) {
  const failed: unknown[] = []
  for (const one of all) await one().catch(error => failed.push(error))
  if (failed.length) throw failed.find(error => !(error instanceof PermanentErrandError)) ?? failed[0]
}

/** Creates functions that send letters and look up their recipients. A letter's idempotency key is its errand's id or derived from it. */
export function createLetterSender({ facts, mail, schedule, isScheduled, sender }: Omit<LetterDependencies, 'recordSent'>) {
  async function sendLetter(id: string, to: string, letter: LetterContent, unsubscribeToken?: string) {
    try {
      await mail.send({ id, to, ...(await composeEmail(letter, sender, unsubscribeToken)) })
    } catch (error) {
      if (error instanceof MailError && !error.temporary) throw new PermanentErrandError(error.message, { cause: error })
      throw error
    }
  }

  /**
   * Sends a letter to a player. At night, it postpones a minor's letter to the morning by scheduling another errand, which sends only that
   * letter. If that errand does not run before the next night, it postpones the letter again, but only once per night, even if the clocks
   * of server and database differ. If the first errand is repeated because the guardian's letter failed, it does not send the player's
   * letter in addition to the postponed one.
   */
  async function sendLetterToPlayer(
    { id, kind, payload }: LetterErrand,
    { email, quietUntil }: LetterRecipient,
    letter: LetterContent,
    unsubscribeToken?: string,
  ) {
    const morningErrand = morningErrandId(id)
    if (!payload.isMorning && (await isScheduled(morningErrand))) return
    if (quietUntil === null || quietUntil === payload.postponedTo) return sendLetter(id, email, letter, unsubscribeToken)
    const postponed = { ...payload, isMorning: true, postponedTo: quietUntil }
    await schedule({ id: morningErrand, kind, payload: postponed, due: quietUntil })
  }

  const playerAndInstructorOf = async ({
    player,
    instructor,
  }: {
    player: string
    instructor: string
  }): Promise<PlayerAndInstructor | null> => {
    const [p, i] = await Promise.all([facts.person(player), facts.person(instructor)])
    return p && i && { player: p, instructor: i, names: { player: p.firstName, instructor: `${i.firstName} ${i.lastName}` } }
  }

  /** The names that a letter to the guardian about this child uses, and a link that signs the guardian in and opens `page`. */
  const guardianRecipient = async ({ id, name }: GuardianAddressee, child: LetterRecipient, page: string) => ({
    guardian: name,
    player: child.firstName,
    url: await facts.familyLink(id, page),
  })

  return { facts, sender, sendLetter, sendLetterToPlayer, playerAndInstructorOf, guardianRecipient }
}
