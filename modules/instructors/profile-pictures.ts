import { randomBytes } from 'node:crypto'
import type postgres from 'postgres'
import sharp from 'sharp'
import { invalidateProfilePagesOf } from './instructor-profile-and-connection-tables.ts'

const PICTURE_SIDE_PX = 512
/** The most pixels in a picture. Our own page sends a small square; a camera's photo of this size takes 100 MB of memory to decode. */
const MAX_PICTURE_PIXELS = 24_000_000
/** How many pictures may wait while one is decoded. */
const MAX_WAITING_OWNERS = 8
const formats = new Set(['jpeg', 'png', 'webp'])

/** Too many pictures are waiting, or this person's previous one is not done yet. Nothing was changed; try again in a moment. */
export class PictureQueueFullError extends Error {
  readonly seconds = 2
}

const owners = new Set<string>()
let last: Promise<unknown> = Promise.resolve()

/**
 * Decodes one picture at a time, which limits the memory that this takes. Each person may have only one picture in the queue.
 * @throws PictureQueueFullError
 */
async function inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
  if (owners.has(owner) || owners.size > MAX_WAITING_OWNERS) throw new PictureQueueFullError('too many pictures at once')
  owners.add(owner)
  const turn = last.then(work)
  last = turn.catch(() => {})
  try {
    return await turn
  } finally {
    owners.delete(owner)
  }
}

/**
 * Stores a profile picture: upright, cropped to a square, without metadata, which may reveal where it was taken.
 * @returns the file name, or null if the bytes, whatever their declared type, are not a readable JPEG, PNG or WEBP or have too many pixels
 * @throws PictureQueueFullError
 */
export async function setProfilePicture(sql: postgres.Sql, owner: string, bytes: Uint8Array): Promise<string | null> {
  const picture = await inTurn(owner, () => square(bytes))
  if (!picture) return null
  const file = `${randomBytes(16).toString('hex')}.webp`
  await sql.begin(async tx => {
    await tx`insert into pictures (file, owner, bytes) values (${file}, ${owner}, ${picture})
      on conflict (owner) do update set file = excluded.file, bytes = excluded.bytes`
    await tx`update users set picture = ${file} where id = ${owner}`
    await invalidateProfilePagesOf(tx, owner)
  })
  return file
}

export async function removeProfilePicture(sql: postgres.Sql, owner: string) {
  await sql.begin(async tx => {
    await tx`delete from pictures where owner = ${owner}`
    await tx`update users set picture = null where id = ${owner}`
    await invalidateProfilePagesOf(tx, owner)
  })
}

export async function loadProfilePicture(db: postgres.ISql, file: string): Promise<Uint8Array | null> {
  const [row] = await db<{ bytes: Uint8Array }[]>`select bytes from pictures where file = ${file}`
  return row?.bytes ?? null
}

async function square(bytes: Uint8Array): Promise<Buffer | null> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'truncated' })
    const { format } = await image.metadata()
    if (!formats.has(format)) return null
    return await image.rotate().resize(PICTURE_SIDE_PX, PICTURE_SIDE_PX, { fit: 'cover' }).webp({ quality: 82 }).toBuffer()
  } catch {
    return null
  }
}
