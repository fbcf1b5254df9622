import { createWriteStream, openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Voice } from '../../reviews/contract.ts'
import type { Looked } from '../inside.ts'
import { look } from './look.ts'
import { Refusal } from './refusal.ts'
import { sameFrames } from './same.ts'
import { FILES, type File, type Made, type MadeVoice, type Order, type Places, type Word } from './words.ts'

/** What a preparation says while it is under way, and where it asks where to put what it made. */
export interface Ear {
  say(word: Word): Promise<void>
  ask(word: Word): Promise<Places>
}

/** The object store does not answer. */
class Away extends Error {}
const away = () => {
  throw new Away()
}

/** Pause between two words of how far it is, ms. */
const PROGRESS_EVERY = 300
const POSTER_QUALITY = 75
/** So much of what a decoder complained about is kept. */
const WHY_LENGTH = 500

async function fetched({ source, bytes }: Order, file: string) {
  const answer = await fetch(source).catch(away)
  if (answer.status === 404) throw new Refusal('lost')
  if (!answer.ok || !answer.body) throw new Away()
  let read = 0
  const counted = new Transform({
    transform(chunk, _, done) {
      read += chunk.length
      done(read > bytes ? new Refusal('damaged', `There is more of it than ${bytes} bytes`) : null, chunk)
    },
  })
  await pipeline(Readable.fromWeb(answer.body as never), counted, createWriteStream(file)).catch(error => {
    throw error instanceof Refusal || hasNoRoom(error) ? error : new Away()
  })
  if (read < bytes) throw new Away()
}

async function stored(file: string, type: string, place: string) {
  const answer = await fetch(place, { method: 'PUT', body: await openAsBlob(file), headers: { 'content-type': type } }).catch(away)
  if (!answer.ok) throw new Away()
}

/** Makes everything that is derived from the original, in the directory. @throws Refusal */
async function make({ dir, ffmpeg }: Order, original: string, looked: Looked, { say }: Ear): Promise<Made> {
  const paths = Object.fromEntries(Object.entries(FILES).map(([file, { name }]) => [file, join(dir, name)])) as Record<File, string>
  const { engine } = await import('./engine.ts')
  const { render, stills } = await engine(ffmpeg)
  let said = Number.NEGATIVE_INFINITY
  await render(original, paths.rendition, looked, part => {
    if (performance.now() - said < PROGRESS_EVERY) return
    said = performance.now()
    void say({ is: 'progress', part })
  })
  const rendition = await look(paths.rendition, 'video/mp4')
  if (!sameFrames(looked.table, rendition.table)) throw new Refusal('different')
  const still = join(dir, 'still.jpg')
  const filmstrip = await stills(paths.rendition, rendition.media, { poster: still, filmstrip: paths.filmstrip })
  // Half of what it is as a JPEG: lists show many, over slow lines. Not every FFmpeg can write it.
  const { default: sharp } = await import('sharp')
  await sharp(still).webp({ quality: POSTER_QUALITY }).toFile(paths.poster)
  const bytes = async (file: File) => (await stat(paths[file])).size
  const { width, height } = rendition.media
  return {
    rendition: { width, height, bytes: await bytes('rendition') },
    poster: { bytes: await bytes('poster') },
    filmstrip: { ...filmstrip, bytes: await bytes('filmstrip') },
  }
}

/** A voice-over for every browser. @throws Refusal */
async function speak({ dir, ffmpeg, type }: Order, original: string): Promise<MadeVoice> {
  const { engine } = await import('./engine.ts')
  const out = join(dir, FILES.voice.name)
  await (await engine(ffmpeg)).voice(original, type as Voice['type'], out)
  return { voice: { bytes: (await stat(out)).size } }
}

async function film(order: Order, original: string, ear: Ear): Promise<Made> {
  const looked = await look(original, order.type)
  await ear.say({ is: 'looked', media: looked.media, table: looked.table })
  return make(order, original, looked, ear)
}

async function work(order: Order, ear: Ear) {
  const original = join(order.dir, 'original')
  await fetched(order, original)
  await ear.say({ is: 'looking' })
  const made = order.kind === 'voice' ? await speak(order, original) : await film(order, original, ear)
  for (const [file, place] of Object.entries(await ear.ask({ is: 'made', made }))) {
    const { name, type } = FILES[file as File]
    await stored(join(order.dir, name), type, place)
  }
}

/**
 * Prepares one video or voice-over: what strangers uploaded is opened here and nowhere else. It knows no keys and no secrets, only signed
 * addresses. @returns the word that ends it
 * @throws whatever is no fault of the file and not the store's absence
 */
export async function prepare(order: Order, ear: Ear): Promise<Word> {
  try {
    await work(order, ear)
    return { is: 'stored' }
  } catch (error) {
    if (error instanceof Refusal)
      return { is: 'refused', code: error.code, ...(error.cause ? { why: `${error.cause}`.slice(-WHY_LENGTH) } : {}) }
    if (error instanceof Away) return { is: 'away' }
    throw error
  }
}

/** The disk is full, or the machine has no more files to give: by Node's names, or by FFmpeg's numbers. (Memory is missing to whoever asks for too much.) */
export const hasNoRoom = (error: unknown) => {
  const { code } = error as { code?: string | number }
  return (['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'] as const).some(name => code === name || code === -constants.errno[name])
}
