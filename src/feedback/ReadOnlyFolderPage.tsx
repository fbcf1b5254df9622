import { Undo2 } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { Folder } from '../../modules/folders/contract.ts'
import { useQuery } from '../client/query.ts'
import { FolderLoadError } from '../folders/FolderLoadError.tsx'
import { folderQueryEndpointOfPage, folderQueryInput } from '../folders/folder-page-urls-and-query.ts'
import { FolderStatusBadge } from '../folders/folder-status.tsx'
import { CompletedChecksLine } from '../instructors/CompletedChecksLine.tsx'
import { isBeingPrepared, useRefreshWhilePreparing } from '../player/clip-preparation-status.ts'
import { site } from '../site.ts'
import { NoticeBox } from '../ui/notice-box.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ReadOnlyFolderContents } from './ReadOnlyFolderContents.tsx'

interface PageLink {
  href: string
  label: string
}
interface ReadOnlyFolderPageProps {
  viewer: 'admin' | 'family'
  /** The names of the folder's player and instructor. */
  people: (folder: Folder) => ReactNode
  /** A link to a related page, next to the folder's title. */
  related: (folder: Folder) => PageLink
  back: (folder: Folder) => PageLink
  /** A control for the viewer, such as a button that takes the folder back. It is shown above the folder's contents. */
  action?: (folder: Folder) => ReactNode
}

function LoadedFolderPage({ folder, viewer, people, related, back, action }: ReadOnlyFolderPageProps & { folder: Folder }) {
  const { session } = folder
  const sessionInUrl = folderQueryInput().query.session
  useRefreshWhilePreparing(folderQueryEndpointOfPage(), [...folder.clips, ...(session?.clips ?? [])].some(isBeingPrepared))
  useEffect(() => {
    document.title = `${folder.name} · ${site.name}`
  }, [folder.name])
  const { href, label } = related(folder)
  return (
    <div className="page">
      <PageHeader
        title={folder.name}
        about={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <FolderStatusBadge status={session?.status ?? folder.status} viewer={viewer} />
            <span>{people(folder)}</span>
            {session?.checks && <CompletedChecksLine checks={session.checks} className="basis-full" />}
          </span>
        }
        tools={
          <a href={href} className="link inline-flex min-h-11 items-center px-1 text-14">
            {label}
          </a>
        }
        back={back(folder)}
      />
      {sessionInUrl && sessionInUrl !== session?.id && (
        <NoticeBox icon={Undo2} title="The session in this link has ended" className="mb-6">
          It was taken back or returned without feedback, and nothing is charged for it. This is the folder as it is now; its history says
          what happened.
        </NoticeBox>
      )}
      {action?.(folder)}
      <ReadOnlyFolderContents folder={folder} viewer={viewer} />
    </div>
  )
}

/** Shown if the URL leads to no folder: why that may be, another place to go, and a notice above both. */
interface MissingFolderProps {
  missing: string
  home: PageLink
  missingNotice?: ReactNode
}

/** The folder in the URL, for a viewer who may only read it. */
export function ReadOnlyFolderPage({ missing, home, missingNotice, ...reading }: ReadOnlyFolderPageProps & MissingFolderProps) {
  const { data, error, retry } = useQuery(folderQueryEndpointOfPage(), folderQueryInput())
  if (data) return <LoadedFolderPage {...reading} folder={data} />
  if (error) return <FolderLoadError error={error} retry={retry} missing={missing} notice={missingNotice} back={home} />
  return (
    <div className="page pt-8">
      <h1 className="sr-only">Folder</h1>
      <Skeleton className="h-9 w-64" />
      <Skeleton className="mt-8 aspect-video w-full" />
    </div>
  )
}
