import { useStore } from '@nanostores/react'
import { CircleCheck, CircleX, CloudOff, Hourglass } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { Folder, Video } from '../../../modules/folders/contract.ts'
import { MAX_FOLDERS_PER_PAGE } from '../../../modules/folders/policy.ts'
import { callApi } from '../../client/api.ts'
import { lastPathSegment } from '../../client/last-path-segment.ts'
import { errorMessage } from '../../client/use-command.ts'
import { folderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import { createUrlRenewer } from '../../folders/video-url-renewer.ts'
import type { VideoPlayerMediaStatus } from '../../player/player-state-and-selectors.ts'
import { useStageKeys } from '../../player/stage-keys.ts'
import { createVideoPlayer } from '../../player/video-player.ts'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { formatBytes, formatMillisecondsAsClock } from '../../ui/format-duration-and-size.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const Stage = lazyWithRetry(() => import('../../player/Stage.tsx').then(m => ({ default: m.Stage })))

const videoId = () => lastPathSegment(location.pathname)
interface FoundVideo {
  folder: Folder
  clip: Video
}

/**
 * Finds a video in the folder that the page's URL names (`?folder=`) or, if it names none, in the player's most recently changed folders
 * (`MAX_FOLDERS_PER_PAGE`); null if the video is in none of them.
 */
async function findVideo(id: string): Promise<FoundVideo | null> {
  const given = new URLSearchParams(location.search).get('folder')
  const ids = given
    ? [given]
    : (await callApi('GET /api/folders', { query: { limit: MAX_FOLDERS_PER_PAGE } })).folders.filter(f => f.videos > 0).map(f => f.id)
  for (const folder of ids) {
    const newest = await callApi('GET /api/folders/{folder}', folderQueryInput(folder, null))
    for (const session of [null, ...newest.sessions.slice(1).map(s => s.id)]) {
      const full = session ? await callApi('GET /api/folders/{folder}', folderQueryInput(folder, session)) : newest
      const clip = [...full.clips, ...(full.session?.clips ?? [])].find(c => c.id === id)
      if (clip) return { folder: full, clip }
    }
  }
  return null
}

const testing = { Icon: Hourglass, tone: 'text-ink-2', title: 'Testing the video', words: 'This takes a moment on a slow connection.' }
/** The result that the page shows for each status of the player. */
const VERDICTS: Record<VideoPlayerMediaStatus, typeof testing> = {
  loading: testing,
  renewing: testing,
  ready: {
    Icon: CircleCheck,
    tone: 'text-field',
    title: 'It plays on this device',
    words: 'Press play to be sure that it looks right.',
  },
  unplayable: {
    Icon: CircleX,
    tone: 'text-red',
    title: 'It does not play on this device',
    words:
      'Your instructor may still be able to watch it. To be safe, export it as MP4 with H.264 (on an iPhone: Settings, Camera, Formats, Most Compatible) and upload it again.',
  },
  unreachable: {
    Icon: CloudOff,
    tone: 'text-red',
    title: 'The video did not load',
    words: 'It is not tested yet. Check your connection and try again.',
  },
  unprepared: {
    Icon: Hourglass,
    tone: 'text-ink-2',
    title: 'The video is not ready to test',
    words: 'It is still being prepared. Try again in a few minutes.',
  },
}

/** `refetch` fetches the folder again, because the video may have been prepared in the meantime. */
function PlaybackVerdict({ found, refetch }: { found: FoundVideo; refetch: () => void }) {
  const { clip, folder } = found
  const [player] = useState(() => createVideoPlayer(createUrlRenewer(found.folder.id, found.folder.session?.id)))
  const element = useRef<HTMLDivElement>(null)
  useStageKeys(element, player)
  const status = useStore(player.$status)
  const length = useStore(player.$duration)
  const { Icon, tone, title, words } = VERDICTS[status]
  const facts = [
    ['Format', { 'video/mp4': 'MP4', 'video/quicktime': 'MOV', 'video/webm': 'WEBM' }[clip.type]],
    ['Size', formatBytes(clip.bytes)],
    ['Length', length || clip.milliseconds ? formatMillisecondsAsClock(length || clip.milliseconds) : 'Unknown'],
    ['Picture', clip.width ? `${clip.width} × ${clip.height}` : 'Unknown'],
  ]
  return (
    <div className="grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div ref={element} className="overflow-hidden rounded-card border border-line bg-paper">
        <Suspense fallback={<Skeleton className="aspect-video w-full" />}>
          <Stage player={player} clip={clip} />
        </Suspense>
      </div>
      <section aria-live="polite" className="flex flex-col gap-4 rounded-card border border-line bg-paper p-4 max-lg:order-first sm:p-6">
        <div className="flex gap-3">
          <Icon aria-hidden="true" size={24} strokeWidth={1.75} className={`shrink-0 ${tone}`} />
          <div>
            <h2 className="text-18">{title}</h2>
            <p className="text-ink-2">{words}</p>
          </div>
        </div>
        <dl className="flex flex-col gap-1.5 text-14">
          {facts.map(([name, value]) => (
            <div key={name} className="flex justify-between">
              <dt className="text-ink-2">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {/* If the video is unreachable, the stage itself shows a “Try again” button. */}
        {status === 'unprepared' && <Button onClick={refetch}>Try again</Button>}
        <ButtonLink variant="secondary" href={`/player/folder/${folder.id}`}>
          Open folder
        </ButtonLink>
      </section>
    </div>
  )
}

function Page() {
  const [found, setFound] = useState<FoundVideo | null>()
  const [error, setError] = useState<unknown>()
  const [turn, setTurn] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: pressing "Try again" increases `turn`, which must run this again
  useEffect(() => {
    setFound(undefined)
    setError(undefined)
    findVideo(videoId()).then(setFound, setError)
  }, [turn])
  const retry = () => setTurn(turn + 1)
  return (
    <div className="page">
      <PageHeader title={found ? found.clip.name : 'Does it play?'} back={{ href: '/player/dashboard', label: 'Your folders' }} />
      {found ? (
        <PlaybackVerdict found={found} refetch={retry} />
      ) : error !== undefined ? (
        <ErrorState title="The video did not load" error={errorMessage(error)} retry={retry} />
      ) : found === null ? (
        <ErrorState
          title="Video not found"
          error="It may have been removed. To check a file on this device, choose it in the format test."
          action={
            <ButtonLink variant="secondary" href="/video-format-test">
              Format test
            </ButtonLink>
          }
        />
      ) : (
        <Skeleton className="aspect-video w-full max-w-3xl" />
      )}
    </div>
  )
}

/** Tests whether one of the player's uploaded videos plays on this device. */
export default () => <ProtectedPage role="player">{() => <Page />}</ProtectedPage>
