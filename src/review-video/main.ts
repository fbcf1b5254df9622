import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaRefusal } from '../../modules/media/preparation-process/media-refusal.ts'
import { logFfmpegErrorsAndFlagOversizedPictures } from '../../modules/media/preparation-process/node-av-helpers.ts'
import {
  catchMediaRefusalAsMessage,
  preparationProcessMain,
  progressReporter,
  type SendMessage,
} from '../../modules/media/preparation-process/preparation-process-main.ts'
import {
  OUTPUT_FILES,
  type PreparationMessage,
  type PreparationProcessInput,
  RENDER_INPUT_FILE_NAME,
} from '../../modules/media/preparation-process/protocol.ts'
import type { ReviewVideoInput } from './review-video-input.ts'

/**
 * The process that renders the video of one review. It runs in the sandbox, because the clips that it opens were made from untrusted files.
 */

/**
 * Loads FFmpeg and the canvas.
 * @throws MediaRefusal if this machine lacks either
 */
async function loadEngine() {
  const [av, { renderReview }] = await Promise.all([import('node-av'), import('./render-review.ts')]).catch(error => {
    throw new MediaRefusal('no-encoder', error)
  })
  logFfmpegErrorsAndFlagOversizedPictures(av)
  return { av, renderReview }
}

async function make({ dir }: PreparationProcessInput, say: SendMessage): Promise<PreparationMessage> {
  const input = JSON.parse(await readFile(join(dir, RENDER_INPUT_FILE_NAME), 'utf8')) as ReviewVideoInput
  const { av, renderReview } = await loadEngine()
  const out = join(dir, OUTPUT_FILES.review.name)
  await renderReview(av, input, dir, out, progressReporter(say))
  return { is: 'made', made: { review: { bytes: (await stat(out)).size } } }
}

await preparationProcessMain((task, say) => {
  say({ is: 'probing' })
  return catchMediaRefusalAsMessage(make(task, say))
})
