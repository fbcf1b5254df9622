import { useEffect } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { AdminPage } from '../../administration/AdminPage.tsx'
import { personPage } from '../../administration/admin-urls.ts'
import { ApiError } from '../../client/api.ts'
import { errorMessage } from '../../client/command.ts'
import { useQuery } from '../../client/query.ts'
import { FolderContents } from '../../feedback/FolderContents.tsx'
import { StatusPill } from '../../folders/folder-status.tsx'
import { folderRequest } from '../../folders/urls.ts'
import { isBeingPrepared, useRefreshWhilePreparing } from '../../player/preparation.ts'
import { site } from '../../site.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const back = { href: '/admin/dashboard', label: 'Overview' }

const PersonLink = ({ id, name }: { id: string; name: string }) => (
  <a className="link inline-flex min-h-11 items-center" href={personPage(id)}>
    {name}
  </a>
)

/** A folder as an administrator reads it: everything that its player and its instructors see, without the buttons that change it. */
function FolderScreen({ folder }: { folder: Folder }) {
  const { session } = folder
  useRefreshWhilePreparing('GET /api/folders/{folder}', [...folder.clips, ...(session?.clips ?? [])].some(isBeingPrepared))
  useEffect(() => {
    document.title = `${folder.name} · ${site.name}`
  }, [folder.name])
  return (
    <div className="page">
      <PageHeader
        title={folder.name}
        about={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusPill status={session?.status ?? folder.status} reader="admin" />
            <span>
              <PersonLink {...folder.player} />
              {session && (
                <>
                  {' with '}
                  <PersonLink {...session.instructor} />
                </>
              )}
            </span>
          </span>
        }
        tools={
          <a href={`/admin/dashboard?folder=${folder.id}`} className="link inline-flex min-h-11 items-center px-1 text-14">
            Event log
          </a>
        }
        back={back}
      />
      <FolderContents folder={folder} reader="admin" />
    </div>
  )
}

function Page() {
  const { data, error, retry } = useQuery('GET /api/folders/{folder}', folderRequest())
  if (data) return <FolderScreen folder={data} />
  if (!error)
    return (
      <div className="page pt-8">
        <h1 className="sr-only">Folder</h1>
        <Skeleton className="h-9 w-64" />
        <Skeleton className="mt-8 aspect-video w-full" />
      </div>
    )
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 422)
  return (
    <div className="page pt-8">
      <h1 className="sr-only">Folder</h1>
      {isMissing ? (
        <ErrorState
          title="Folder not found"
          error="The link may be incomplete."
          action={<ButtonLink href={back.href}>{back.label}</ButtonLink>}
        />
      ) : (
        <ErrorState title="The folder did not load" error={errorMessage(error)} retry={retry} />
      )}
    </div>
  )
}

export default () => (
  <AdminPage>
    <Page />
  </AdminPage>
)
