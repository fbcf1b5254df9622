import { useEffect } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { ApiError } from '../../client/api.ts'
import { errorMessage } from '../../client/command.ts'
import { useQuery } from '../../client/query.ts'
import { FamilyGate } from '../../family/FamilyGate.tsx'
import { FolderContents } from '../../feedback/FolderContents.tsx'
import { StatusPill } from '../../folders/folder-status.tsx'
import { folderRequest } from '../../folders/urls.ts'
import { isBeingPrepared, useRefreshWhilePreparing } from '../../player/preparation.ts'
import { site } from '../../site.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** A child's folder as its guardian reads it: everything that the child and the instructors see, and nothing to change. */
function FolderScreen({ folder, child }: { folder: Folder; child: string }) {
  const { session } = folder
  useRefreshWhilePreparing('GET /api/family/folders/{folder}', [...folder.clips, ...(session?.clips ?? [])].some(isBeingPrepared))
  useEffect(() => {
    document.title = `${folder.name} · ${site.name}`
  }, [folder.name])
  return (
    <div className="page">
      <PageHeader
        title={folder.name}
        about={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusPill status={session?.status ?? folder.status} reader="family" />
            <span>
              {child}
              {session && ` with ${session.instructor.name}`}
            </span>
          </span>
        }
        tools={
          <a href="/family/money" className="link inline-flex min-h-11 items-center px-1 text-14">
            Bills and receipts
          </a>
        }
        back={{ href: `/family/children/${folder.player.id}`, label: child }}
      />
      <FolderContents folder={folder} reader="family" />
    </div>
  )
}

function Page() {
  const { data, error, retry } = useQuery('GET /api/family/folders/{folder}', folderRequest())
  if (data) return <FolderScreen folder={data} child={data.player.name.split(' ')[0]!} />
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
          error="The link may be incomplete, or the account is the player's own by now."
          action={<ButtonLink href="/family">Your family</ButtonLink>}
        />
      ) : (
        <ErrorState title="The folder did not load" error={errorMessage(error)} retry={retry} />
      )}
    </div>
  )
}

/** A folder on a guardian's pages. */
export default function FamilyFolderPage() {
  return <FamilyGate>{() => <Page />}</FamilyGate>
}
