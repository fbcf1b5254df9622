import { CircleCheck, CircleX, FileVideo, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { MAX_VIDEO_BYTES } from '../../../modules/folders/policy.ts'
import type { VideoProperties } from '../../../modules/media/contract.ts'
import { useSignalHydration } from '../../page-load/signal-hydration.ts'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { formatBytes } from '../../ui/format-duration-and-size.ts'
import { LoadingMessage } from '../../ui/spinner.tsx'
import { checkFile, type FileTypeOrRefusal } from '../../upload/check-file-size-and-type.ts'
import { FileAdvice } from '../../upload/FileAdvice.tsx'
import { formatVideoProperties } from '../../upload/format-video-properties.ts'
import { inspectFile } from '../../upload/inspect-file.ts'
import { type FileVerdict, fileVerdict } from './file-verdict.ts'

const toneLooks = {
  good: { Icon: CircleCheck, color: 'text-field' },
  careful: { Icon: TriangleAlert, color: 'text-gold' },
  bad: { Icon: CircleX, color: 'text-red' },
}

export function FileVerdictCard({ verdict: { tone, title, text, advice }, facts }: { verdict: FileVerdict; facts: [string, string][] }) {
  const { Icon, color } = toneLooks[tone]
  return (
    <Card>
      <div className="flex gap-3">
        <Icon aria-hidden="true" size={24} strokeWidth={1.75} className={cx('mt-0.5 shrink-0', color)} />
        <div>
          <h2 className="text-18">{title}</h2>
          <p className="mt-1 max-w-measure text-ink-2">{text}</p>
          <FileAdvice advice={advice} className="mt-2 flex max-w-measure flex-col gap-1" />
        </div>
      </div>
      {facts.length > 0 && (
        <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 border-t border-line pt-4 text-14">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-2">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

const containers: Record<string, string> = { 'video/mp4': 'MP4', 'video/quicktime': 'MOV', 'video/webm': 'WEBM' }

function factsOf(file: File, checked: FileTypeOrRefusal, media: VideoProperties | null | undefined): [string, string][] {
  return [
    ['File', file.name],
    ['Size', `${(file.size / 1024 / 1024).toFixed(1)} MB`],
    ...('type' in checked ? [['Format', containers[checked.type]!] as [string, string]] : []),
    ...(media ? [['Picture', formatVideoProperties(media)] as [string, string]] : []),
  ]
}

/** Tests whether a video can be uploaded and will play. The file never leaves the device. */
export default function VideoFileCheck() {
  const root = useSignalHydration<HTMLDivElement>()
  const [state, setState] = useState<'idle' | 'busy' | { verdict: FileVerdict; facts: [string, string][] }>('idle')

  const input = useRef<HTMLInputElement>(null)

  async function testChosenFile() {
    const file = input.current?.files?.[0]
    if (!file) return
    input.current!.value = ''
    setState('busy')
    const checked = await checkFile(file, 0)
    const found = 'type' in checked ? await inspectFile(file, checked.type) : undefined
    setState({ verdict: fileVerdict(checked, found), facts: factsOf(file, checked, found?.media) })
  }

  // The visitor may have chosen a file before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only after hydration
  useEffect(() => void testChosenFile(), [])

  return (
    <div ref={root} className="flex flex-col gap-4">
      <label className="flex min-h-40 cursor-pointer flex-col items-center justify-center gap-3 rounded-card border border-dashed border-edge bg-paper p-6 text-center transition-colors hover:bg-field-wash has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-sky">
        <FileVideo aria-hidden="true" size={32} strokeWidth={1.5} className="text-field" />
        <span className="font-medium">Choose a video</span>
        <span className="text-14 text-ink-2">MP4, MOV or WEBM, up to {formatBytes(MAX_VIDEO_BYTES)}. It stays on your device.</span>
        <input
          ref={input}
          type="file"
          accept="video/mp4,video/quicktime,video/webm,.mp4,.mov,.webm"
          onChange={testChosenFile}
          className="sr-only"
        />
      </label>
      <div aria-live="polite">
        {state === 'busy' && <LoadingMessage label="Testing your video..." />}
        {typeof state === 'object' && <FileVerdictCard {...state} />}
      </div>
    </div>
  )
}
