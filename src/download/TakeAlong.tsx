import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Folder } from '../../modules/folders/contract.ts'
import { call } from '../client/api.ts'
import { errorMessage } from '../client/command.ts'
import { inkColorsOf } from '../drawing/paint-shape.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'
import { folderRequest } from '../folders/urls.ts'
import { MediaFetchError } from '../player/source.ts'
import { Button } from '../ui/button.tsx'
import { formatBytes } from '../ui/format.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { videoFile } from './video-file.ts'

const words = (error: unknown) => {
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return 'There is not enough room on this device. Free some, then try again.'
  if (error instanceof MediaFetchError) return 'A video did not come through. Check your connection and try again.'
  return errorMessage(error)
}

/** Everything of a session in one file, made on this device as a stream. */
export function TakeAlong({ folder, session }: { folder: Folder; session: ReviewedSession }) {
  const [state, setState] = useState<{ done: number } | 'idle' | 'saved'>('idle')
  const [failed, setFailed] = useState<string>()
  const running = useRef<AbortController>(undefined)
  const studio = useRef<HTMLSpanElement>(null)
  const files = session.clips.map(clip => videoFile(clip, clip.name))
  const all = files.reduce((sum, file) => sum + (file?.bytes ?? 0), 0)
  const originals = session.clips.some(clip => clip.url !== null)
  const busy = typeof state === 'object'
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    const mine = new AbortController()
    running.current = mine
    setFailed(undefined)
    setState({ done: 0 })
    try {
      // Addresses of videos run out; these are fresh.
      const [fresh, { pack }] = await Promise.all([
        call('GET /api/folders/{folder}', folderRequest(folder.id, session.id)),
        import('./pack.ts'),
      ])
      const review = fresh.session?.review
      if (!review) return
      if (fresh.session!.voices.some(voice => voice.url === null))
        throw new Error('A voice-over is still being prepared. Try again in a moment.')
      await pack(fresh, { ...fresh.session!, review }, inkColorsOf(studio.current!), done => setState({ done }), mine.signal)
      setState('saved')
    } catch (error) {
      setState('idle')
      if (!mine.signal.aborted) setFailed(words(error))
    }
  }

  return (
    <section aria-labelledby="take-along" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <span ref={studio} data-theme="studio" hidden />
      <h2 id="take-along" className="text-18">
        Take it along
      </h2>
      <p className="mt-1 max-w-measure text-14 text-ink-2">
        One zip with the {session.clips.length === 1 ? 'video' : 'videos'} as {originals ? 'uploaded' : 'prepared for watching'} (
        {formatBytes(all)}), the notes as subtitles, the drawings, the voice-overs, and a sheet to print.
        {files.includes(null) && ' A video that is not prepared yet is not in it.'}
      </p>
      <div aria-live="polite" className="mt-4">
        {busy ? (
          <>
            <p className="mb-2 text-14 tabular-nums">
              {formatBytes(Math.min(state.done, all))} of {formatBytes(all)}
            </p>
            <ProgressBar label="Packing" value={all ? Math.min(100, (100 * state.done) / all) : undefined!} />
          </>
        ) : (
          state === 'saved' && <p className="text-14">It is with your downloads.</p>
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
