import { Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { ClipTabs } from '../player/ClipTabs.tsx'
import { StageSkeleton } from '../player/StageSkeleton.tsx'
import { CaptureRateEditor } from '../technique/CaptureRateEditor.tsx'
import { IconButton } from '../ui/button.tsx'
import { ClientOnly } from '../ui/client-only.tsx'
import { cx } from '../ui/cx.ts'
import { formatBytes, formatDurationMsAsClock } from '../ui/format-duration-and-size.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'

const loadStage = () => import('../player/StageWithOwnPlayer.tsx').then(m => ({ default: m.StageWithOwnPlayer }))
const StageWithOwnPlayer = lazyWithRetry(loadStage)
const Replace = lazyWithRetry(() => import('./ReplaceUnplayableVideo.tsx').then(m => ({ default: m.ReplaceUnplayableVideo })))
const Remove = lazyWithRetry(() => import('./RemoveVideoDialog.tsx').then(m => ({ default: m.RemoveVideoDialog })))

// Start loading the stage's script now, while React hydrates the rest of the page.
if ('document' in globalThis) loadStage().catch(() => {})

const describeFile = (clip: Video) =>
  [
    clip.milliseconds > 0 && formatDurationMsAsClock(clip.milliseconds),
    clip.width > 0 && `${clip.width} × ${clip.height}`,
    formatBytes(clip.bytes),
  ]
    .filter(Boolean)
    .join(' · ')

/**
 * The videos of a folder: one on the stage, and a tab for each. `canRemove`: they may still be removed. `canReplace`: they belong to the
 * viewer, who may set their capture rate and replace one that cannot be played.
 */
export function FolderVideosPlayer({
  folder,
  clips,
  canRemove = false,
  canReplace = canRemove,
}: {
  folder: string
  clips: Video[]
  canRemove?: boolean
  canReplace?: boolean
}) {
  const [selected, setSelected] = useState<string>()
  const [removing, setRemoving] = useState<Video>()
  // Until the viewer selects a video, show the first one that they have to replace, or else the first of all.
  const clip = clips.find(c => c.id === selected) ?? (canReplace ? clips.find(c => c.rendition?.unseen) : undefined) ?? clips[0]
  if (!clip) return null
  return (
    <section
      aria-label="Videos"
      id={clip.rendition?.unseen ? 'refused-video' : undefined}
      className="min-w-0 overflow-clip rounded-card border border-line bg-paper"
    >
      <ClientOnly fallback={<StageSkeleton clip={clip} />}>
        <StageWithOwnPlayer folder={folder} clip={clip} />
      </ClientOnly>
      <div className="flex items-center justify-between gap-3 border-t border-line py-1.5 pr-2 pl-4">
        <p className="min-w-0">
          <span className="block truncate font-medium">{clip.name}</span>
          <span className="block text-13 text-ink-2">{describeFile(clip)}</span>
        </p>
        {canRemove && (
          <IconButton label={`Remove ${clip.name}`} onClick={() => setRemoving(clip)}>
            <Trash2 aria-hidden="true" size={20} strokeWidth={1.75} />
          </IconButton>
        )}
      </div>
      {canReplace && (
        <div className="min-h-14 border-t border-line px-4 py-2 md:min-h-10">
          <CaptureRateEditor key={clip.id} folder={folder} clip={clip} />
        </div>
      )}
      {clip.media?.omittedMilliseconds && (
        <p className="border-t border-line px-4 py-3 text-14 text-ink-2">
          This file was cut so that its first {(clip.media.omittedMilliseconds / 1000).toFixed(1)} seconds cannot be shown. The video begins
          right after them.
        </p>
      )}
      {/* Tells the player what to do. For an instructor, whose `url` is null, the stage explains why there is no video. */}
      {clip.url !== null && clip.rendition?.state === 'refused' && clip.rendition.reason && (
        <p
          role="alert"
          className={cx('border-t border-line px-4 py-3 text-14', clip.rendition.unseen ? 'font-medium text-red' : 'text-ink-2')}
        >
          {clip.rendition.reason.message}
        </p>
      )}
      {canReplace &&
        clips.map(
          c =>
            c.rendition?.unseen && (
              <ClientOnly key={c.id} fallback={c === clip && <div className="h-15" />}>
                <Replace folder={folder} clip={c} isSelected={c === clip} />
              </ClientOnly>
            ),
        )}
      {clips.length > 1 && (
        <ClipTabs clips={clips} selected={clip.id} onSelect={c => setSelected(c.id)} className="border-t border-line p-3" />
      )}
      {removing && (
        <Suspense fallback={null}>
          <Remove folder={folder} clip={removing} onClose={() => setRemoving(undefined)} />
        </Suspense>
      )}
    </section>
  )
}
