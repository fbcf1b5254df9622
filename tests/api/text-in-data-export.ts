import { strFromU8, unzipSync } from 'fflate'
import { expect } from 'vitest'
import type { TestUser } from './full-server.ts'
import type { ServerWithStripe } from './server-with-stripe.ts'

/** Requests a person's data export, and returns the JSON text of one of its files. */
export async function textInDataExportOf(t: Pick<ServerWithStripe, 'waitUntilIdle'>, person: TestUser, file: string): Promise<string> {
  expect((await person.call('POST', '/api/account/export')).status).toBe(204)
  await t.waitUntilIdle()
  const { id } = (await person.call('GET', '/api/account/export')).body.export
  const zip = await fetch((await person.call('GET', `/api/account/exports/${id}`)).headers.get('location')!)
  return strFromU8(unzipSync(new Uint8Array(await zip.arrayBuffer()))[file]!)
}
