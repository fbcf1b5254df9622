import { Clapperboard, Download } from 'lucide-react'
import { useMemo } from 'react'
import { REVIEW_VIDEO_DAYS } from '../../../modules/media/policy.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { Button } from '../../ui/button.tsx'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { FormError } from '../../ui/field.tsx'
import { formatBytes, formatDurationMsAsClock } from '../../ui/format-duration-and-size.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { reviewPlaylistOf } from '../watch/review-playlist.ts'
import { fetchFreshReviewVideoUrl, type ReviewVideoRequester, requestReviewVideo, useReviewVideoStatus } from './review-video.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Offers the whole review as one video, which the server renders on demand. */
export function ReviewVideoCard({ requester, session }: { requester: ReviewVideoRequester; session: ReviewedSession }) {
  const { data, error, retry, isBeingMade } = useReviewVideoStatus(requester)
  const { milliseconds } = useMemo(() => reviewPlaylistOf(session), [session])
  const command = useCommand()
  const request = () => command.run(() => requestReviewVideo(requester))
  const download = () =>
    command.run(async () => {
      const url = await fetchFreshReviewVideoUrl(requester)
      if (url) location.assign(url)
    })
  return (
    <section aria-labelledby="review-video" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="review-video" className="text-18">
        Save as video
      </h2>
      <p className="mt-1 text-14 text-ink-2">
        The whole review as one video ({formatDurationMsAsClock(milliseconds)}), with voice-overs, drawings and notes, to keep or to send.
      </p>
      <div className="mt-4 flex flex-col gap-3">
        {!data ? (
          error ? (
            <CardError error={errorMessage(error)} retry={retry} />
          ) : (
            <Skeleton className="h-11" />
          )
        ) : isBeingMade ? (
          <div role="status" className="flex flex-col gap-2">
            <p className="text-14">We are creating your video… You can leave this page.</p>
            <ProgressBar label="Creating the video" value={Math.round(data.progress * 100)} />
          </div>
        ) : data.state === 'ready' ? (
          <>
            <Button variant="secondary" wide busy={command.busy} icon={<Download {...icon} />} onClick={download}>
              Download video ({formatBytes(data.bytes ?? 0)})
            </Button>
            <p role="status" className="text-14 text-ink-2">
              Your video is ready. We keep it for {REVIEW_VIDEO_DAYS} days. After that, you can create it again.
            </p>
          </>
        ) : (
          <>
            {data.state === 'failed' && (
              <p role="alert" className="text-14 font-medium text-red">
                We could not create the video. Try again in a moment.
              </p>
            )}
            <Button variant="secondary" wide busy={command.busy} icon={<Clapperboard {...icon} />} onClick={request}>
              {data.state === 'failed' ? 'Try again' : 'Create the video'}
            </Button>
          </>
        )}
        <FormError>{command.message}</FormError>
      </div>
    </section>
  )
}
