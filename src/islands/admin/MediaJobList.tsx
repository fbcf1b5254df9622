import type { ListedMediaJob } from '../../../modules/media/contract.ts'
import { callApi } from '../../client/api.ts'
import { refetchQueries } from '../../client/query.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/format-duration-and-size.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { formatVideoProperties } from '../../upload/format-video-properties.ts'

/**
 * Lists videos, voice-overs and review videos that are waiting, in preparation or refused. Each refused one can be retried. Only a video
 * can be refused, because nobody would read the reason for refusing a voice-over or the video of a review.
 * @param onRetried called after a refused one has been queued again; its "Try again" button has disappeared by then
 */
export const MediaJobList = ({
  works,
  onRefuse,
  onRetried,
}: {
  works: ListedMediaJob[]
  onRefuse: (job: ListedMediaJob) => void
  onRetried: () => void
}) => (
  <ul className="divide-y divide-line border-t border-line" aria-label="Videos in preparation">
    {works.map(work => (
      <MediaJobRow key={`${work.kind} ${work.video}`} work={work} onRefuse={() => onRefuse(work)} onRetried={onRetried} />
    ))}
  </ul>
)

const stateLabels = {
  waiting: 'Waiting',
  preparing: 'Being prepared',
  ready: 'Ready',
  refused: 'Failed',
}

const kindLabels = { rendition: null, voice: 'Voice-over', review: 'Video of a review' }

function MediaJobRow({ work, onRefuse, onRetried }: { work: ListedMediaJob; onRefuse: () => void; onRetried: () => void }) {
  const { run, busy, message } = useCommand()
  const { kind, video, state, progress, tries, code, error, reason, media, bytes, asked, begun, ended, cpuSeconds } = work
  const about = [kindLabels[kind], media && formatVideoProperties(media), bytes > 0 && formatBytes(bytes)].filter(Boolean).join(' · ')
  const retry = async () => {
    const done = await run(() => callApi('POST /api/admin/media/{video}/retry', { params: { video }, query: { kind } }))
    await refetchQueries('GET /api/admin/media')
    // The pressed button disappears, so the focus moves to the heading.
    if (done) onRetried()
  }
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="font-medium">
          {stateLabels[state]}
          {state === 'preparing' && `, ${Math.floor(progress * 100)}%`}
          {code && `: ${code}`}
        </p>
        {kind === 'rendition' && state !== 'refused' && (
          <Button variant="secondary" size="sm" onClick={onRefuse} aria-label={`Refuse video ${video}`}>
            Refuse
          </Button>
        )}
        {state === 'refused' && (
          <Button variant="secondary" size="sm" busy={busy} onClick={retry} aria-label={`Try video ${video} again`}>
            Try again
          </Button>
        )}
      </div>
      <p className="text-14 wrap-anywhere text-ink-2">
        {about}
        <br />
        {reason && (
          <>
            “{reason}”
            <br />
          </>
        )}
        {error && (
          <>
            {error}
            <br />
          </>
        )}
        Video {video} · {tries === 1 ? '1 try' : `${tries} tries`} ·{' '}
        <RelativeTime at={ended ?? ((state === 'preparing' && begun) || asked)} />
        {cpuSeconds >= 1 && ` · ${Math.round(cpuSeconds)} s of CPU time`}
      </p>
      {message && (
        <p role="alert" className="text-14 font-medium text-red">
          {message}
        </p>
      )}
    </li>
  )
}
