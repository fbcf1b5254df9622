import { expect } from 'vitest'
import type { ServerWithStripe } from './server-with-stripe.ts'

type ScannedServer = Pick<ServerWithStripe, 'sql' | 'deps' | 'mailbox'>

/** Returns the content of every table as one string, one row per line. */
export async function readAllTables({ sql }: ScannedServer): Promise<string> {
  const tables = await sql<{ name: string }[]>`select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`
  expect(tables.map(row => row.name)).toEqual(expect.arrayContaining(['events', 'users', 'uploads', 'errands', 'person_keys']))
  const dump = await Promise.all(
    tables.map(async ({ name }) => (await sql.unsafe(`select r::text as row from "${name}" r`)).map(row => `${name}: ${row.row}`)),
  )
  return dump.flat().join('\n')
}

/** Returns the keys and the bytes of every object as one string. */
export async function readAllObjects({ deps: { objects } }: ScannedServer): Promise<string> {
  const texts: string[] = []
  for await (const { key } of objects.list('')) {
    // A store refuses to read a range of an empty object.
    const { bytes } = (await objects.head(key))!
    texts.push(key, bytes ? Buffer.from((await objects.read(key, 0, bytes))!).toString('latin1') : '')
  }
  return texts.join('\n')
}

/** Returns every letter that was sent to anybody, newest first. */
export async function readAllLetters({ mailbox }: ScannedServer): Promise<object[]> {
  return (await (await fetch(`${mailbox}/letters.json`)).json()) as object[]
}

/** Which of these words a text contains, ignoring letter case. */
export const wordsContainedInText = (text: string, words: readonly string[]) =>
  words.filter(word => text.toLowerCase().includes(word.toLowerCase()))

/** The lines of a text that contain one of these words, each cut off after 300 characters. */
export const linesContaining = (text: string, words: readonly string[]) =>
  text
    .split('\n')
    .filter(line => wordsContainedInText(line, words).length)
    .map(line => line.slice(0, 300))
