import { lazy, Suspense, useEffect } from 'react'
import { ApiError } from '../../client/api.ts'
import { useQuery } from '../../client/query.ts'
import type { User } from '../../client/session.ts'
import { site } from '../../site.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { Failed } from '../../ui/state.tsx'
import { sentence } from '../command.ts'
import { wanted } from '../folder/address.ts'
import { underWay, useProgress } from '../folder/Preparing.tsx'
import { Protected } from '../frame/Protected.tsx'

const studio = () => import('./Studio.tsx').then(m => ({ default: m.Studio }))
const Studio = lazy(studio)
const Assigned = lazy(() => import('./Assigned.tsx').then(m => ({ default: m.Assigned })))
const DeliveredReview = lazy(() => import('./Delivered.tsx').then(m => ({ default: m.DeliveredReview })))

// Most come here to write: the studio is fetched while the folder is asked for.
if ('document' in globalThis) studio().catch(() => {})

const back = <ButtonLink href="/instructor/dashboard">Your queue</ButtonLink>

const Shape = () => (
  <Waiting label="Loading the folder" className="flex min-h-dvh flex-col">
    <h1 className="sr-only">Review</h1>
    <Skeleton className="m-2 h-10 w-64" />
    <span className="grid flex-1 gap-4 p-4 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <Skeleton className="max-lg:h-80" />
      <Skeleton className="max-lg:h-80" />
    </span>
  </Waiting>
)

function Page({ user }: { user: User }) {
  const { data: folder, error, retry } = useQuery('GET /api/folders/{folder}', wanted())
  const name = folder?.name
  useProgress('GET /api/folders/{folder}', folder?.session?.clips.some(underWay) ?? false)
  useEffect(() => {
    if (name) document.title = `${name} · ${site.name}`
  }, [name])
  if (!folder) {
    if (!error) return <Shape />
    const gone = error instanceof ApiError && (error.status === 404 || error.status === 422)
    return (
      <div className="page py-16">
        <h1 className="sr-only">Review</h1>
        {gone ? (
          <Failed title="This folder is not with you" error="The player may have taken it back." action={back} />
        ) : (
          <Failed title="The folder did not load" error={sentence(error)} retry={retry} />
        )}
      </div>
    )
  }
  const { session } = folder
  return (
    <Suspense fallback={<Shape />}>
      {session?.status === 'assigned' ? (
        <Assigned folder={folder} session={session} />
      ) : session?.status === 'in-review' ? (
        <Studio key={session.id} folder={folder} session={session} />
      ) : session?.review ? (
        <DeliveredReview folder={folder} session={{ ...session, review: session.review }} user={user} />
      ) : (
        <div className="page py-16">
          <h1 className="sr-only">Review</h1>
          <Failed title="This folder is not with you" error="The player has taken it back, or you have declined it." action={back} />
        </div>
      )}
    </Suspense>
  )
}

export default () => <Protected role="instructor">{user => <Page user={user} />}</Protected>
