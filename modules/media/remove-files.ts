import type { Sql } from 'postgres'
import { EXPORT_PREFIX, INCOMING_PREFIX, REVIEW_VIDEO_PREFIX, videoPrefixes, voicePrefixes } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'

/**
 * Removes all that lies in the object store for these folders (originals, renditions, posters, tables, filmstrips, videos of reviews, uploads
 * under way) and for these assignments (voice-overs), the work on them, and the player's exports. Twice is like once.
 */
export async function removeFiles(
  { sql, objects }: { sql: Sql; objects: ObjectStore },
  of: { player: string; folders: string[]; assignments: string[] },
): Promise<void> {
  // First the work, so that nobody makes anything of them meanwhile.
  await sql`delete from media_work where player = ${of.player} or folder = any(${of.folders}::uuid[])`
  await sql`delete from uploads where player = ${of.player}`
  const prefixes = [
    `${EXPORT_PREFIX}${of.player}/`,
    ...of.folders.flatMap(folder => [INCOMING_PREFIX, REVIEW_VIDEO_PREFIX, ...videoPrefixes].map(prefix => `${prefix}${folder}/`)),
    ...of.assignments.flatMap(assignment => voicePrefixes.map(prefix => `${prefix}${assignment}/`)),
  ]
  for (const prefix of prefixes) for await (const { key } of objects.list(prefix)) await objects.remove(key)
}
