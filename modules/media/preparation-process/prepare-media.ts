import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Voice } from '../../reviews/contract.ts'
import type { ContainerFacts } from '../read-container.ts'
import { haveSameFrames } from './frame-parity.ts'
import { MediaRefusal } from './media-refusal.ts'
import { catchMediaRefusalAsMessage, progressReporter, type SendMessage } from './preparation-process-main.ts'
import {
  ORIGINAL_FILE_NAME,
  OUTPUT_FILES,
  type OutputFileKind,
  type PreparationMessage,
  type PreparationProcessInput,
  type PreparedRenditionFileProperties,
  type PreparedVoice,
} from './protocol.ts'
import { readContainerFile } from './read-container-file.ts'

const POSTER_QUALITY = 75

/** Creates all files derived from the original, in the task's directory. @throws MediaRefusal */
async function make(
  { dir }: PreparationProcessInput,
  original: string,
  facts: ContainerFacts,
  send: SendMessage,
): Promise<PreparedRenditionFileProperties> {
  const paths = Object.fromEntries(Object.entries(OUTPUT_FILES).map(([file, { name }]) => [file, join(dir, name)])) as Record<
    OutputFileKind,
    string
  >
  const { loadMediaEngine } = await import('./media-engine.ts')
  const { render, stills } = await loadMediaEngine()
  await render(original, paths.rendition, facts, progressReporter(send))
  const rendition = await readContainerFile(paths.rendition, 'video/mp4')
  if (!haveSameFrames(facts.table, rendition.table)) throw new MediaRefusal('different')
  const still = join(dir, 'still.jpg')
  const filmstrip = await stills(paths.rendition, rendition.media, { poster: still, filmstrip: paths.filmstrip })
  // WebP takes half the bytes of JPEG, and lists show many posters over slow connections. Our FFmpeg cannot write WebP.
  const { default: sharp } = await import('sharp')
  await sharp(still).webp({ quality: POSTER_QUALITY }).toFile(paths.poster)
  const bytes = async (file: OutputFileKind) => (await stat(paths[file])).size
  const { width, height } = rendition.media
  return {
    rendition: { width, height, bytes: await bytes('rendition') },
    poster: { bytes: await bytes('poster') },
    filmstrip: { ...filmstrip, bytes: await bytes('filmstrip') },
  }
}

/** Converts a voice-over to AAC, which every browser plays. @throws MediaRefusal */
async function prepareVoice({ dir, type }: PreparationProcessInput, original: string): Promise<PreparedVoice> {
  const { loadMediaEngine } = await import('./media-engine.ts')
  const out = join(dir, OUTPUT_FILES.voice.name)
  await (await loadMediaEngine()).voice(original, type as Voice['type'], out)
  return { voice: { bytes: (await stat(out)).size } }
}

async function prepareVideo(task: PreparationProcessInput, original: string, send: SendMessage): Promise<PreparedRenditionFileProperties> {
  const facts = await readContainerFile(original, task.type)
  send({ is: 'probed', media: facts.media, table: facts.table })
  return make(task, original, facts, send)
}

/**
 * Prepares one video or voice-over. Only this process decodes uploaded files, so it has no access keys, secrets or URLs: the original and
 * the results are in its directory.
 * @returns the final message
 * @throws errors that are not the file's fault
 */
export async function prepareMedia(task: PreparationProcessInput, send: SendMessage): Promise<PreparationMessage> {
  const original = join(task.dir, ORIGINAL_FILE_NAME)
  send({ is: 'probing' })
  const making = task.kind === 'voice' ? prepareVoice(task, original) : prepareVideo(task, original, send)
  return catchMediaRefusalAsMessage(making.then(made => ({ is: 'made', made })))
}
