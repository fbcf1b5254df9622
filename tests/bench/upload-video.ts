import type { Sql } from 'postgres'
import { manualUpload, type TestPerson } from '../faults/test-installation.ts'

/** Uploads a file as its player does, in as many parts as needed. @returns the video's id */
export async function uploadVideo(player: TestPerson, folder: string, file: Uint8Array, type?: string): Promise<string> {
  const upload = manualUpload(player, folder, file, type)
  const accepted = ({ status, body }: { status: number; body: { code?: string; partBytes?: number } }) => {
    if (status > 201) throw new Error(`The upload was answered ${status}: ${body.code}`)
    return body
  }
  const partBytes = accepted(await upload.start()).partBytes!
  const parts = Array.from({ length: Math.ceil(file.length / partBytes) }, (_, i) => i + 1)
  await upload.put(parts, partBytes)
  accepted(await upload.complete())
  return upload.id
}

/** Returns the preparation state of a video; undefined while `media_work` has no row for it. */
export async function preparationStateOf(sql: Sql, video: string) {
  const [row] = await sql<{ state: string; progress: number; code: string | null }[]>`
    select state, progress, code from media_work where video = ${video}`
  return row
}
