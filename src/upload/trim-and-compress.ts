import { MAX_VIDEO_NAME_LENGTH } from './check-file-size-and-type.ts'

/**
 * A request to the worker: `canCompress` asks whether this browser can make a smaller copy; `compress` makes one; `trim` copies the part
 * from `from` to `to`, in seconds of presentation time.
 */
export type VideoEditRequest = { file: File; type: string } & (
  | { edit: 'canCompress' }
  | { edit: 'compress' }
  | { edit: 'trim'; from: number; to: number }
)

interface EditedBytes {
  bytes: ArrayBuffer
  type: string
  /** How many seconds of footage from before the chosen start remain in a trimmed file; null if unknown. */
  secondsBeforeStart?: number | null
  /** Whether the footage before the start is also played: WebM has no edit list to hide it, unlike MP4 and MOV. */
  showsFootageBeforeStart?: boolean
}
/** A reply from the worker: any number of progress values from 0 to 1, then one of the others. */
export type VideoEditReply =
  | { is: 'progress'; part: number }
  | { is: 'canCompress'; canCompress: boolean }
  | { is: 'edited'; edited: EditedBytes }
  | { is: 'failed'; reason: string }

/**
 * Runs an edit in a worker, so that the page stays responsive and only the worker loads the media library.
 * @throws the reason of `signal` as soon as it aborts; the worker is then terminated
 */
function runEditWorker(request: VideoEditRequest, progress: (part: number) => void, signal: AbortSignal): Promise<VideoEditReply> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./trim-and-compress-worker.ts', import.meta.url), { type: 'module' })
    const end = (then: () => void) => {
      worker.terminate()
      signal.removeEventListener('abort', stop)
      then()
    }
    const stop = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', stop)
    if (signal.aborted) return stop()
    worker.onmessage = ({ data }: MessageEvent<VideoEditReply>) => {
      if (data.is === 'progress') progress(data.part)
      else end(() => resolve(data))
    }
    worker.onerror = ({ message }) => end(() => resolve({ is: 'failed', reason: message }))
    worker.postMessage(request)
  })
}

/** The worker is stopped after this time, because a hostile file could keep it busy forever. */
const COMPRESS_CHECK_TIMEOUT_MS = 10_000

/** Whether this browser can decode a file and encode H.264. @throws TimeoutError */
export async function canCompressVideo(file: File, type: string): Promise<boolean> {
  if (!('VideoEncoder' in globalThis)) return false
  const reply = await runEditWorker({ file, type, edit: 'canCompress' }, () => {}, AbortSignal.timeout(COMPRESS_CHECK_TIMEOUT_MS))
  return reply.is === 'canCompress' && reply.canCompress
}

const extensions: Record<string, string> = { 'video/mp4': '.mp4', 'video/quicktime': '.mov', 'video/webm': '.webm' }

async function editFile(request: VideoEditRequest, suffix: string, progress: (part: number) => void, signal: AbortSignal) {
  const reply = await runEditWorker(request, progress, signal)
  if (reply.is !== 'edited') throw new Error(reply.is === 'failed' ? reply.reason : 'The worker did not answer.')
  const { bytes, type, ...footageBeforeStart } = reply.edited
  const end = ` ${suffix}${extensions[type]}`
  const name = request.file.name.replace(/\.\w{1,5}$/, '').slice(0, MAX_VIDEO_NAME_LENGTH - end.length) + end
  return { file: new File([bytes], name, { type }), ...footageBeforeStart }
}

/**
 * Makes a copy in H.264 with at most 720 lines and all frames of the video.
 * @param progress called with the completed share, 0 to 1
 * @throws Error if the copy cannot be made, has more or fewer frames than the original, or is not smaller; AbortError
 */
export const compressVideo = async (file: File, type: string, progress: (part: number) => void, signal: AbortSignal): Promise<File> =>
  (await editFile({ file, type, edit: 'compress' }, '(720p)', progress, signal)).file

/** A part of a video as a new file; the other fields are those of `EditedBytes`. */
export interface TrimmedFileWithEarlierFootage extends Pick<EditedBytes, 'secondsBeforeStart' | 'showsFootageBeforeStart'> {
  file: File
}

/**
 * Copies a part of a video without reencoding. `from` and `to` are seconds of presentation time.
 * @throws Error if the container does not allow it; AbortError
 */
export const trimVideoWithoutReencoding = (
  file: File,
  type: string,
  { from, to }: { from: number; to: number },
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<TrimmedFileWithEarlierFootage> => editFile({ file, type, edit: 'trim', from, to }, '(trimmed)', progress, signal)

/**
 * Describes the footage before the chosen start in a sentence: people who trim a video to remove something have to know what the file still
 * contains.
 */
export function describeFootageBeforeStart({ secondsBeforeStart, showsFootageBeforeStart }: TrimmedFileWithEarlierFootage): string {
  if (secondsBeforeStart === 0) return 'Nothing from before the start is left in the file.'
  const some = secondsBeforeStart ? `${Math.max(0.1, secondsBeforeStart).toFixed(1)} s` : 'a moment'
  return showsFootageBeforeStart
    ? `It begins ${some} before your start.`
    : `The file keeps ${some} from before your start, which is never shown.`
}
