import { UNASSIGNED_VIDEO_MONTHS } from '../../../modules/privacy/policy.ts'
import { useQuery } from '../../client/query.ts'
import { Card } from '../../ui/card.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'

const longDate = dateFormatter({ dateStyle: 'long' })
const MAX_SHOWN_VIDEOS = 5

/** A player's videos that will be deleted because no instructor was given them, with the day. Nothing where there are none. */
export function ExpiringVideos() {
  const { data } = useQuery('GET /api/account/retention')
  if (!data?.videos.length) return null
  const more = data.videos.length - MAX_SHOWN_VIDEOS
  return (
    <section aria-labelledby="expiring-videos">
      <h2 id="expiring-videos" className="mb-1 text-22">
        Videos that will go
      </h2>
      <p className="mb-4 max-w-measure text-ink-2">
        We keep a video that no instructor was given for {UNASSIGNED_VIDEO_MONTHS} months. Assign its folder, or download it, and nothing is
        lost.
      </p>
      <Card flush>
        <ul className="divide-y divide-line">
          {data.videos.slice(0, MAX_SHOWN_VIDEOS).map(v => (
            <li key={v.video} className="flex flex-wrap justify-between gap-x-4 p-4 sm:px-6">
              <a className="link wrap-anywhere" href={`/player/folder/${v.folder}`}>
                {v.name} in {v.folderName}
              </a>
              <span className="text-ink-2">goes on {longDate(new Date(v.expires))}</span>
            </li>
          ))}
        </ul>
      </Card>
      {more > 0 && <p className="mt-2 text-14 text-ink-2">And {more} more, later.</p>}
    </section>
  )
}
