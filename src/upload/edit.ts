/** What is asked of the worker: whether this browser can make a smaller copy, to make one, or to cut. `from`, `to`: seconds of presentation. */
export type Asked = { file: File; type: string } & ({ edit: 'able' } | { edit: 'shrink' } | { edit: 'trim'; from: number; to: number })

export interface Made {
  bytes: ArrayBuffer
  type: string
  /** Seconds before the start that stay in a file that was cut; null: not known. */
  before?: number | null
  /** They are seen, too: the container cannot hide them. */
  shows?: boolean
}
export type Told =
  | { is: 'progress'; part: number }
  | { is: 'able'; able: boolean }
  | { is: 'made'; made: Made }
  | { is: 'failed'; why: string }

/** Has a file cut or encoded apart from the page; the library for it is loaded by this. Aborted, it stops at once. */
function edited(asked: Asked, progress: (part: number) => void, signal: AbortSignal): Promise<Told> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./edit-worker.ts', import.meta.url), { type: 'module' })
    const end = (then: () => void) => {
      worker.terminate()
      signal.removeEventListener('abort', stop)
      then()
    }
    const stop = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', stop)
    if (signal.aborted) return stop()
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.is === 'progress') progress(data.part)
      else end(() => resolve(data))
    }
    worker.onerror = ({ message }) => end(() => resolve({ is: 'failed', why: message }))
    worker.postMessage(asked)
  })
}

/** A hostile file may keep the worker busy for ever, ms. */
const PATIENCE = 10_000

/** Whether this browser decodes a file and encodes H.264. */
export async function canShrink(file: File, type: string): Promise<boolean> {
  if (!('VideoEncoder' in globalThis)) return false
  const told = await edited({ file, type, edit: 'able' }, () => {}, AbortSignal.timeout(PATIENCE))
  return told.is === 'able' && told.able
}

const endings: Record<string, string> = { 'video/mp4': '.mp4', 'video/quicktime': '.mov', 'video/webm': '.webm' }

async function made(asked: Asked, called: string, progress: (part: number) => void, signal: AbortSignal) {
  const told = await edited(asked, progress, signal)
  if (told.is !== 'made') throw new Error(told.is === 'failed' ? told.why : 'No answer.')
  const { bytes, type, ...more } = told.made
  const name = `${asked.file.name.replace(/\.\w{1,5}$/, '')} ${called}${endings[type]}`
  return { file: new File([bytes], name, { type }), ...more }
}

/**
 * The same video with 720 lines, in H.264, with all of its frames.
 * @throws where it cannot be made, has other frames, or is not smaller; AbortError
 */
export const smallerCopy = async (file: File, type: string, progress: (part: number) => void, signal: AbortSignal): Promise<File> =>
  (await made({ file, type, edit: 'shrink' }, '(720p)', progress, signal)).file

export interface Cut {
  file: File
  before?: number | null
  shows?: boolean
}
/** A part of a video, copied as it is. @throws where it cannot be cut; AbortError */
export const cut = (
  file: File,
  type: string,
  { from, to }: { from: number; to: number },
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<Cut> => made({ file, type, edit: 'trim', from, to }, '(trimmed)', progress, signal)

/** What a cut leaves in the file, for who cuts something out. */
export function remains({ before, shows }: Cut): string {
  if (before === 0) return 'Nothing of what came before is left in the file.'
  const some = before ? `${Math.max(0.1, before).toFixed(1)} s` : 'A moment'
  return shows
    ? `It begins ${some} before what you chose, where a whole picture is.`
    : `${some} before what you chose ${before ? 'stay' : 'stays'} in the file, where nobody sees them.`
}
