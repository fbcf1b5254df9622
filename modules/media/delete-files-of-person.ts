import type { Sql } from 'postgres'
import { DATA_EXPORT_PREFIX, INCOMING_PREFIX, REVIEW_VIDEO_PREFIX, videoKeyPrefixes, voiceKeyPrefixes } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'

/**
 * Deletes all objects of these folders (originals, renditions, posters, tables, filmstrips, review videos, unfinished uploads) and of these
 * assignments (voice-overs), their jobs, and the person's exports and upload rows. `player`: the person, who may be an instructor. `kept`:
 * ids of videos whose jobs stay (model clips that reviews still show); their files must not be in one of `folders`. Idempotent.
 */
export async function deleteFilesOfPerson(
  { sql, objects }: { sql: Sql; objects: ObjectStore },
  of: { player: string; folders: string[]; assignments: string[]; kept?: string[] },
): Promise<void> {
  // Delete the jobs first, so that no worker creates new files in the meantime.
  await sql`
    delete from media_work where (player = ${of.player} or folder = any(${of.folders}::uuid[])) and video <> all(${of.kept ?? []}::uuid[])`
  await sql`delete from uploads where player = ${of.player}`
  const prefixes = [
    `${DATA_EXPORT_PREFIX}${of.player}/`,
    ...of.folders.flatMap(folder => [INCOMING_PREFIX, REVIEW_VIDEO_PREFIX, ...videoKeyPrefixes].map(prefix => `${prefix}${folder}/`)),
    ...of.assignments.flatMap(assignment => voiceKeyPrefixes.map(prefix => `${prefix}${assignment}/`)),
  ]
  for (const prefix of prefixes) for await (const { key } of objects.list(prefix)) await objects.remove(key)
}
