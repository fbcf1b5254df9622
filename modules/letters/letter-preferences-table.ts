import type postgres from 'postgres'
import { newToken } from '../secret-tokens.ts'

/** A person's preferences for optional letters. `token` identifies them in unsubscribe links. */
export interface LetterPreferences {
  token: string
  reminders: boolean
}

export async function findOrCreateLetterPreferences(db: postgres.ISql, person: string): Promise<LetterPreferences> {
  await db`insert into letter_readers (person, token) values (${person}, ${newToken()}) on conflict (person) do nothing`
  const [row] = await db<LetterPreferences[]>`select token, reminders from letter_readers where person = ${person}`
  return row!
}

export async function setReminderPreference(db: postgres.ISql, person: string, reminders: boolean): Promise<void> {
  await db`
    insert into letter_readers (person, token, reminders) values (${person}, ${newToken()}, ${reminders})
    on conflict (person) do update set reminders = ${reminders}`
}

/** Sets the preference from an unsubscribe link. @returns false for an unknown token */
export async function setReminderPreferenceByToken(db: postgres.ISql, token: string, reminders: boolean): Promise<boolean> {
  return (await db`update letter_readers set reminders = ${reminders} where token = ${token} returning person`).length > 0
}

export const deleteLetterPreferences = (db: postgres.ISql, person: string) => db`delete from letter_readers where person = ${person}`
