import { lazy, Suspense, useEffect, useState } from 'react'
import type { Folder, Video } from '../../../modules/folders/contract.ts'
import { ApiError } from '../../client/api.ts'
import { refresh, useQuery } from '../../client/query.ts'
import type { User } from '../../client/session.ts'
import { site } from '../../site.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Empty, Failed } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.ts'
import { sentence } from '../command.ts'
import { Protected } from '../frame/Protected.tsx'
import { cleanAddress, useCardReturn } from '../payments/cards.ts'
import { shapeOf } from '../shape.ts'
import { Clips } from './Clips.tsx'
import { NextStep } from './NextStep.tsx'
import { underWay, useProgress } from './Preparing.tsx'
import { Story } from './Story.tsx'
import { alreadyRead, feedbackOf } from './seen.ts'
import { StatusPill } from './status.tsx'
import { Title, Tools } from './Title.tsx'
import { COLUMNS, Waits } from './Waits.tsx'

const UploadArea = lazy(() => import('../upload/UploadArea.tsx').then(m => ({ default: m.UploadArea })))
const Assign = lazy(() => import('./Assign.tsx').then(m => ({ default: m.Assign })))
const Delivered = lazy(() => import('./Delivered.tsx').then(m => ({ default: m.Delivered })))

/** The id in /player/folder/{id}. */
export const folderId = () => location.pathname.split('/').filter(Boolean).at(-1) ?? ''
/** Videos of the next session: what came after the last feedback. */
const sinceFeedback = (folder: Folder) => folder.clips.filter(c => !folder.feedback || c.added > folder.feedback.given)

function Screen({ folder, user }: { folder: Folder; user: User }) {
  const [cameToAssign] = useState(() => new URLSearchParams(location.search).has('assign'))
  const [assigning, setAssigning] = useState(cameToAssign)
  const [renaming, setRenaming] = useState(false)
  const saving = useCardReturn(cameToAssign)
  const fresh = sinceFeedback(folder)
  useProgress('GET /api/folders/{folder}', folder.clips.some(underWay))
  // As it was on coming here; the visit itself makes it read.
  const [read] = useState(() => folder.feedback !== null && alreadyRead().includes(feedbackOf(folder.feedback.assignment)))
  const changeable = folder.status === 'open' || folder.status === 'paid'
  const removable = (clip: Video) => changeable && fresh.includes(clip)
  useEffect(() => {
    document.title = `${folder.name} · ${site.name}`
  }, [folder.name])

  const upload = changeable && (
    <Suspense fallback={<Skeleton className="h-44" />}>
      <UploadArea
        folder={folder.id}
        videos={fresh.length}
        primary={folder.videos === 0}
        onAdded={() => {
          refresh('GET /api/folders/{folder}')
          toast({ title: 'Video added', description: 'It is in your folder and ready to assign.' })
        }}
      />
    </Suspense>
  )
  const { feedback } = folder
  return (
    <div className="page">
      <PageHeader
        title={<Title folder={folder} editing={renaming} onClose={() => setRenaming(false)} />}
        about={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusPill status={folder.status} read={read} />
            {folder.instructor && <span>{folder.instructor.name}</span>}
          </span>
        }
        tools={!renaming && <Tools folder={folder} onRename={() => setRenaming(true)} />}
        back={{ href: '/player/dashboard', label: 'Your folders' }}
      />
      {feedback ? (
        <Suspense fallback={<Skeleton className="aspect-video w-full" />}>
          <Delivered
            folder={{ ...folder, feedback }}
            user={user}
            columns={COLUMNS}
            next={<NextStep folder={folder} onAssign={() => setAssigning(true)} />}
          >
            {upload}
          </Delivered>
        </Suspense>
      ) : (
        <div className={COLUMNS}>
          <div className="flex min-w-0 flex-col gap-4 max-lg:order-2 sm:gap-6">
            <Clips folder={folder} removable={removable} />
            {upload}
            {folder.status === 'archived' && folder.videos === 0 && (
              <Empty title="No videos in here">It went to the archive before the first one. Restore it to add some.</Empty>
            )}
            {folder.message && folder.status !== 'open' && (
              <Card>
                <h2 className="text-18">Your message</h2>
                <p className="mt-2 max-w-measure wrap-anywhere whitespace-pre-line">{folder.message}</p>
              </Card>
            )}
          </div>
          <div className="flex min-w-0 flex-col gap-4 max-lg:contents sm:gap-6">
            <div className="max-lg:order-1">
              <NextStep folder={folder} onAssign={() => setAssigning(true)} />
            </div>
            <div className="max-lg:order-3">
              <Story story={folder.story} you={user.id} />
            </div>
          </div>
        </div>
      )}
      {assigning && !saving && changeable && (
        <Suspense fallback={null}>
          <Assign
            folder={folder}
            onClose={() => {
              cleanAddress('assign')
              setAssigning(false)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

function Page({ user }: { user: User }) {
  const answer = useQuery('GET /api/folders/{folder}', { params: { folder: folderId() } })
  if (answer.data) return <Screen folder={answer.data} user={user} />
  if (!answer.error) return <Waits reviewed={Boolean(shapeOf<Record<string, boolean>>('folders', {})[folderId()])} />
  const gone = answer.error instanceof ApiError && (answer.error.status === 404 || answer.error.status === 422)
  return (
    <div className="page pt-8">
      <h1 className="sr-only">Folder</h1>
      {gone ? (
        <Failed
          title="This folder is not here"
          error="It may belong to another account, or the link is not complete."
          action={<ButtonLink href="/player/dashboard">Your folders</ButtonLink>}
        />
      ) : (
        <Failed title="The folder did not load" error={sentence(answer.error)} retry={answer.retry} />
      )}
    </div>
  )
}

export default () => <Protected role="player">{user => <Page user={user} />}</Protected>
