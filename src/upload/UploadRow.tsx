import { Pause, Play, RotateCw, Scissors, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { VideoPoster } from '../player/VideoPoster.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { formatBytes, formatTimeLeft } from '../ui/format-duration-and-size.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { FileAdvice } from './FileAdvice.tsx'
import { PAUSABLE_UPLOAD_STATES, type UploadItem } from './upload-item.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The line under the file's name: bytes sent, speed and time left; or what failed and what to do. */
function statusText(item: UploadItem): ReactNode {
  const of = `${formatBytes(item.sent)} of ${formatBytes(item.bytes)}`
  switch (item.state) {
    case 'checking':
      return 'Checking the file'
    case 'asking':
      return `${formatBytes(item.bytes)} · not sent yet`
    case 'compressing':
      return `Creating a smaller copy, ${Math.floor((item.compressedShare ?? 0) * 100)}%`
    case 'waiting':
      return `${formatBytes(item.bytes)} · waiting its turn`
    case 'sending':
      return [
        of,
        item.speed.bytesPerSecond > 0 && `${formatBytes(item.speed.bytesPerSecond)}/s`,
        item.speed.secondsLeft !== null && formatTimeLeft(item.speed.secondsLeft),
      ]
        .filter(Boolean)
        .join(' · ')
    case 'offline':
      return `${of} · connection lost, resumes automatically`
    case 'paused':
      return item.message ?? `${of} · paused`
    case 'finishing':
      return 'Uploaded. Adding it now'
    case 'unfinished':
      return item.message ?? `${of} uploaded. Choose the same file to send the rest.`
    default:
      return item.message
  }
}

/** One upload: its still, status, progress, and the buttons that its state allows. */
export function UploadRow({
  item,
  onPause,
  onResume,
  onCancel,
  onChoose,
  onTrim,
  onCompress,
  onStopCompressing,
}: {
  item: UploadItem
  onPause: () => void
  onResume: () => void
  onCancel: () => void
  /** Opens a file dialog for choosing an unfinished upload's file again. */
  onChoose: () => void
  onTrim: () => void
  onCompress: () => void
  onStopCompressing: () => void
}) {
  const hasFailed = item.state === 'refused' || item.state === 'failed'
  const isPausable = PAUSABLE_UPLOAD_STATES.includes(item.state)
  const isEditable = isPausable || item.state === 'asking' || item.state === 'paused' || item.state === 'failed'
  const percent =
    item.state === 'compressing' ? (item.compressedShare ?? 0) * 100 : item.bytes ? Math.min(100, (item.sent / item.bytes) * 100) : 0
  return (
    <li
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 p-3 sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:p-4"
      data-upload={item.state}
    >
      <VideoPoster src={item.poster ?? null} className="row-span-2 w-20 rounded-field max-sm:hidden" />
      <div className="min-w-0">
        <p className="truncate font-medium" title={item.name}>
          {item.name}
        </p>
        <p role={hasFailed ? 'alert' : undefined} className={cx('text-14', hasFailed ? 'font-medium text-red' : 'text-ink-2')}>
          {statusText(item)}
        </p>
      </div>
      {/* On a phone this spans the row below the name and the buttons. */}
      <div className="max-sm:col-span-2 sm:col-start-2">
        {item.media && !hasFailed && <p className="text-13 text-ink-2 tabular-nums">{item.media}</p>}
        {item.edited && !hasFailed && <p className="text-14 text-ink-2">{item.edited}</p>}
        {!hasFailed && <FileAdvice advice={item.advice} />}
        {item.state === 'asking' && (
          <p className="mt-2 flex flex-wrap gap-2">
            <Button size="sm" onClick={onTrim} aria-label={`Trim ${item.name} to the action`}>
              Trim to the action
            </Button>
            <Button variant="secondary" size="sm" onClick={onResume} aria-label={`Upload all of ${item.name}`}>
              Upload all of it
            </Button>
          </p>
        )}
        {isEditable && item.compressible && (
          <Button variant="secondary" size="sm" className="mt-2" onClick={onCompress} aria-label={`Upload a smaller copy of ${item.name}`}>
            Upload a smaller copy
          </Button>
        )}
        {!hasFailed && item.state !== 'asking' && (
          <ProgressBar
            label={`Upload of ${item.name}`}
            value={item.state === 'checking' ? undefined : percent}
            tone={item.state === 'offline' ? 'clay' : item.state === 'paused' || item.state === 'unfinished' ? 'ink' : 'field'}
            className="mt-2"
          />
        )}
      </div>
      <div className="col-start-2 row-start-1 flex items-center sm:col-start-3 sm:row-span-2">
        {isEditable && item.state !== 'asking' && item.trimmable && !item.edited && (
          <IconButton label={`Trim ${item.name} to the action`} onClick={onTrim}>
            <Scissors {...icon} />
          </IconButton>
        )}
        {item.state === 'compressing' && (
          <Button variant="secondary" size="sm" onClick={onStopCompressing}>
            Stop
          </Button>
        )}
        {isPausable && (
          <IconButton label={`Pause ${item.name}`} onClick={onPause}>
            <Pause {...icon} />
          </IconButton>
        )}
        {item.state === 'paused' && (
          <IconButton label={`Resume ${item.name}`} onClick={onResume}>
            <Play {...icon} />
          </IconButton>
        )}
        {item.state === 'failed' && (
          <Button variant="secondary" size="sm" icon={<RotateCw {...icon} />} onClick={onResume}>
            Try again
          </Button>
        )}
        {item.state === 'unfinished' && (
          <Button variant="secondary" size="sm" onClick={onChoose} aria-label={`Choose ${item.name} again`}>
            Choose file
          </Button>
        )}
        {item.state === 'refused' ? (
          <IconButton label={`Dismiss ${item.name}`} onClick={onCancel}>
            <X {...icon} />
          </IconButton>
        ) : (
          item.state !== 'finishing' && (
            <IconButton label={`Cancel ${item.name}`} onClick={onCancel}>
              <Trash2 {...icon} />
            </IconButton>
          )
        )}
      </div>
    </li>
  )
}
