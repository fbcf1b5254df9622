import { useStore } from '@nanostores/react'
import { CloudUpload } from 'lucide-react'
import { type DragEvent, Suspense, useEffect, useRef, useState } from 'react'
import { MAX_VIDEO_BYTES, MAX_VIDEOS_PER_SESSION } from '../../modules/folders/policy.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { ACCEPTED_FILES } from './check-file-size-and-type.ts'
import { UploadList } from './UploadList.tsx'
import { createUploadQueue } from './upload-queue.ts'

const FilmingGuide = lazyWithRetry(() => import('./FilmingGuide.tsx').then(m => ({ default: m.FilmingGuide })))

const MB = MAX_VIDEO_BYTES / 1024 / 1024
const NBSP = '\u00a0'
const prevent = (e: globalThis.DragEvent) => e.preventDefault()

/**
 * Where a player adds videos to a folder by dropping or choosing files, and watches the uploads. `videos`: how many this session
 * already has.
 */
export function UploadArea({
  folder,
  videos,
  onAdded,
  primary,
}: {
  folder: string
  videos: number
  onAdded: () => void
  primary: boolean
}) {
  const added = useRef(onAdded)
  added.current = onAdded
  const [uploads] = useState(() => createUploadQueue(folder, () => added.current()))
  const items = useStore(uploads.$items)
  const input = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)

  useEffect(() => {
    uploads.load().catch(() => {
      // The page works without the list of unfinished uploads: files can be chosen, and each begins a new upload.
    })
  }, [uploads])
  useEffect(() => {
    // Without this, the browser would leave the page and open a file that is dropped outside the area.
    window.addEventListener('dragover', prevent)
    window.addEventListener('drop', prevent)
    return () => {
      window.removeEventListener('dragover', prevent)
      window.removeEventListener('drop', prevent)
    }
  }, [])

  const take = (files: FileList | null) => {
    if (files?.length) uploads.add([...files], videos)
  }
  const pick = () => input.current?.click()
  const full =
    videos + items.filter(i => i.state !== 'refused').length >= MAX_VIDEOS_PER_SESSION && !items.some(i => i.state === 'unfinished')

  return (
    <section
      aria-labelledby="upload"
      hidden={full && items.length === 0}
      className="overflow-hidden rounded-card border border-line bg-paper"
    >
      <h2 id="upload" className="sr-only">
        Upload videos
      </h2>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_FILES}
        multiple
        hidden
        aria-label="Choose videos"
        onChange={e => {
          take(e.currentTarget.files)
          e.currentTarget.value = ''
        }}
      />
      {!full && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users choose files with the button inside
        <div
          onDragOver={() => setDraggedOver(true)}
          onDragLeave={() => setDraggedOver(false)}
          onDrop={(e: DragEvent) => {
            e.preventDefault()
            setDraggedOver(false)
            take(e.dataTransfer.files)
          }}
          className={cx(
            'm-3 flex flex-col items-center gap-3 rounded-field border border-dashed px-4 py-6 text-center transition-[background-color,border-color] sm:py-8',
            isDraggedOver ? 'border-field bg-field-wash' : 'border-edge',
          )}
        >
          <CloudUpload aria-hidden="true" size={28} strokeWidth={1.75} className="text-field" />
          <Button variant={primary ? 'primary' : 'secondary'} onClick={pick}>
            {videos + items.filter(i => i.state !== 'refused' && i.state !== 'unfinished').length ? 'Add another video' : 'Choose videos'}
          </Button>
          <p className="text-14 text-ink-2">
            <span className="max-sm:hidden">Or drop them here. </span>MP4, MOV or WEBM, up to {MAX_VIDEOS_PER_SESSION} videos of {MB}
            {NBSP}MB each.
          </p>
        </div>
      )}
      {!full && !items.length && (
        <Suspense fallback={<div className="h-28 sm:h-32" />}>
          <FilmingGuide />
        </Suspense>
      )}
      <UploadList uploads={uploads} items={items} onChoose={pick} className={full ? undefined : 'border-t border-line'} />
    </section>
  )
}
