import { KNOWN_DEVICE_DAYS, LOGIN_SESSION_DAYS } from '../../../modules/accounts/policy.ts'
import { SUPPORT_REQUEST_RETENTION_YEARS, UNASSIGNED_VIDEO_RETENTION_MONTHS } from '../../../modules/privacy/policy.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { Card } from '../../ui/card.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const longDate = dateFormatter({ dateStyle: 'long' })
const MAX_SHOWN_VIDEOS = 5

/**
 * What the server deletes automatically, and when: login sessions, known browsers, support requests, videos never sent to an instructor,
 * and the account of a minor whose guardian has refused consent.
 */
export function AutomaticDeletionSchedule() {
  const { data, error, retry } = useQuery('GET /api/account/retention')
  const day = (iso: string) => longDate(new Date(iso))
  return (
    <section aria-labelledby="deletion-schedule">
      <h2 id="deletion-schedule" className="mb-1 text-22">
        What we delete, and when
      </h2>
      {error ? (
        <CardError error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <LoadingRegion>
          <Skeleton className="h-24 w-full" />
        </LoadingRegion>
      ) : (
        <>
          <ul className="max-w-measure list-disc pl-5 text-ink-2">
            {data.account && (
              <li className="font-medium text-ink">
                Your whole account on {day(data.account)}, because your parent or guardian said no. If they agree before then, it stays.
              </li>
            )}
            <li>
              Where you are logged in: {LOGIN_SESSION_DAYS} days after you last used each device. Browsers we recognize: after{' '}
              {KNOWN_DEVICE_DAYS} days.
            </li>
            {data.requests && (
              <li>
                Your support requests: after {SUPPORT_REQUEST_RETENTION_YEARS} years,{' '}
                {data.requests.count === 1 ? 'that is' : 'the first of them'} on {day(data.requests.next)}.
              </li>
            )}
            {data.videos.length > 0 && (
              <li>
                Videos you never assigned: after {UNASSIGNED_VIDEO_RETENTION_MONTHS} months. To keep them, assign the folder or download the
                videos.
              </li>
            )}
          </ul>
          {data.videos.length > 0 && (
            <Card flush className="mt-4">
              <ul className="divide-y divide-line">
                {data.videos.slice(0, MAX_SHOWN_VIDEOS).map(v => (
                  <li key={v.video} className="flex flex-wrap justify-between gap-x-4 p-4 sm:px-6">
                    <a className="link wrap-anywhere" href={`/player/folder/${v.folder}`}>
                      {v.name} in {v.folderName}
                    </a>
                    <span className="text-ink-2">will be deleted on {day(v.expires)}</span>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {data.videos.length > MAX_SHOWN_VIDEOS && (
            <p className="mt-2 text-14 text-ink-2">And {data.videos.length - MAX_SHOWN_VIDEOS} more, later.</p>
          )}
        </>
      )}
    </section>
  )
}
