import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Folder } from '../../modules/folders/contract.ts'
import { callApi } from '../client/api.ts'
import { errorMessage } from '../client/use-command.ts'
import { readInkColors } from '../drawing/ink-colors-from-theme.ts'
import { folderQueryInput } from '../folders/folder-page-urls-and-query.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { MediaFetchError } from '../player/clip-source.ts'
import { Button } from '../ui/button.tsx'
import { formatBytes } from '../ui/format-duration-and-size.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { downloadableFileOf } from './downloadable-video.ts'

const downloadErrorText = (error: unknown) => {
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return 'There is not enough space on this device. Free up some space, then try again.'
  if (error instanceof MediaFetchError) return 'A video did not download. Check your connection and try again.'
  return errorMessage(error)
}

/** Downloads everything in a session as one zip file, which the browser builds as a stream. */
export function SessionZipDownloadCard({ folder, session }: { folder: Folder; session: ReviewedSession }) {
  const [state, setState] = useState<{ done: number } | 'idle' | 'saved'>('idle')
  const [failed, setFailed] = useState<string>()
  const running = useRef<AbortController>(undefined)
  const studioTheme = useRef<HTMLSpanElement>(null)
  const files = session.clips.map(clip => downloadableFileOf(clip, clip.name))
  const totalBytes = files.reduce((sum, file) => sum + (file?.bytes ?? 0), 0)
  const originals = session.clips.some(clip => clip.url !== null)
  const busy = typeof state === 'object'
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    const abort = new AbortController()
    running.current = abort
    setFailed(undefined)
    setState({ done: 0 })
    try {
      // The signed URLs of the videos may have expired, so fetch the folder again.
      const [fresh, { saveSessionAsZip }] = await Promise.all([
        callApi('GET /api/folders/{folder}', folderQueryInput(folder.id, session.id)),
        import('./save-session-as-zip.ts'),
      ])
      const review = fresh.session?.review
      if (!review) throw new Error('This feedback is not available anymore. Reload the page.')
      if (fresh.session!.voices.some(voice => voice.url === null))
        throw new Error('A voice-over is still being prepared. Try again in a moment.')
      await saveSessionAsZip(
        fresh,
        { ...fresh.session!, review },
        readInkColors(studioTheme.current!),
        done => setState({ done }),
        abort.signal,
      )
      setState('saved')
    } catch (error) {
      setState('idle')
      if (!abort.signal.aborted) setFailed(downloadErrorText(error))
    }
  }

  return (
    <section aria-labelledby="download" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <span ref={studioTheme} data-theme="studio" hidden />
      <h2 id="download" className="text-18">
        Download
      </h2>
      <p className="mt-1 max-w-measure text-14 text-ink-2">
        One zip file with the {originals && 'original '}
        {session.clips.length === 1 ? 'video' : 'videos'} ({formatBytes(totalBytes)}), the notes as subtitles, the drawings, the
        voice-overs, and a printable summary.
        {files.includes(null) && ' Videos that are not ready yet are left out.'}
      </p>
      <div aria-live="polite" className="mt-4">
        {busy ? (
          <>
            <p className="mb-2 text-14 tabular-nums">
              {formatBytes(Math.min(state.done, totalBytes))} of {formatBytes(totalBytes)}
            </p>
            <ProgressBar label="Packing" value={totalBytes ? Math.min(100, (100 * state.done) / totalBytes) : undefined!} />
          </>
        ) : (
          state === 'saved' && <p className="text-14">Saved to your downloads.</p>
        )}
        {failed && <p className="text-14 text-red">{failed}</p>}
      </div>
      {busy ? (
        <Button variant="secondary" className="mt-3" onClick={() => running.current?.abort()}>
          Cancel
        </Button>
      ) : (
        <Button variant="secondary" className="mt-3" icon={<Download aria-hidden="true" size={20} strokeWidth={1.75} />} onClick={start}>
          Download everything
        </Button>
      )}
    </section>
  )
}
