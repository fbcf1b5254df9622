import { Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { ClipTabs } from '../player/ClipTabs.tsx'
import { StageSkeleton } from '../player/StageSkeleton.tsx'
import { Pace } from '../technique/Pace.tsx'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { lasting, size } from '../ui/format.ts'
import { lazily } from '../ui/lazily.tsx'
import { OnceAwake } from '../ui/once-awake.tsx'

const stage = () => import('../player/ClipStage.tsx').then(m => ({ default: m.ClipStage }))
const ClipStage = lazily(stage)
const Replace = lazily(() => import('./Replace.tsx').then(m => ({ default: m.Replace })))
const Remove = lazily(() => import('./Remove.tsx').then(m => ({ default: m.Remove })))

// It is on its way while the rest is taken over.
if ('document' in globalThis) stage().catch(() => {})

const facts = (clip: Video) =>
  [clip.milliseconds > 0 && lasting(clip.milliseconds), clip.width > 0 && `${clip.width} × ${clip.height}`, size(clip.bytes)]
    .filter(Boolean)
    .join(' · ')

/** Videos of a folder: one on the stage, the others beside it. `removable`: they may still go. `replaceable`: they are the reader's own. */
export function Clips({
  folder,
  clips,
  removable = false,
  replaceable = removable,
}: {
  folder: string
  clips: Video[]
  removable?: boolean
  replaceable?: boolean
}) {
  const [selected, setSelected] = useState<string>()
  const [removing, setRemoving] = useState<Video>()
  const clip = clips.find(c => c.id === selected) ?? clips[0]
  if (!clip) return null
  return (
    <section aria-label="Videos" className="min-w-0 overflow-clip rounded-card border border-line bg-paper">
      <OnceAwake meanwhile={<StageSkeleton clip={clip} />}>
        <ClipStage folder={folder} clip={clip} />
      </OnceAwake>
      <div className="flex items-center justify-between gap-3 border-t border-line py-1.5 pr-2 pl-4">
        <p className="min-w-0">
          <span className="block truncate font-medium">{clip.name}</span>
          <span className="block text-13 text-ink-2">{facts(clip)}</span>
        </p>
        {removable && (
          <IconButton label={`Remove ${clip.name}`} onClick={() => setRemoving(clip)}>
            <Trash2 aria-hidden="true" size={20} strokeWidth={1.75} />
          </IconButton>
        )}
      </div>
      {replaceable && (
        <div className="min-h-14 border-t border-line px-4 py-2 md:min-h-10">
          <Pace key={clip.id} folder={folder} clip={clip} />
        </div>
      )}
      {clip.rendition?.state === 'refused' && clip.rendition.reason && (
        <p
          role="alert"
          className={cx('border-t border-line px-4 py-3 text-14', clip.rendition.unseen ? 'font-medium text-red' : 'text-ink-2')}
        >
          {clip.rendition.reason.message}
        </p>
      )}
      {replaceable && clip.rendition?.unseen && (
        <OnceAwake meanwhile={<div className="h-15" />}>
          <Replace key={clip.id} folder={folder} clip={clip} />
        </OnceAwake>
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
