import type { ChildInstructorWithChecks, OwnFolderSummary } from '../../../modules/folders/contract.ts'
import { countWithNoun } from '../../../modules/format-cents-and-counts.ts'
import { callApi, type Reply } from '../../client/api.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { useMorePages } from '../../client/use-more-pages.ts'
import type { FamilyData } from '../../family/RequireGuardianLogin.tsx'
import { ArchivedFoldersSection } from '../../folders/ArchivedFoldersSection.tsx'
import { FolderStatusBadge } from '../../folders/folder-status.tsx'
import { CompletedChecksLine } from '../../instructors/CompletedChecksLine.tsx'
import { VideoPoster } from '../../player/VideoPoster.tsx'
import { cx } from '../../ui/cx.ts'
import { CardError, EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

type Child = FamilyData['children'][number]

const foldersToListPage = ({ folders, next }: Reply<'GET /api/family/children/{child}/folders'>) => ({ rows: folders, next })
const fetchFolderPage = async (child: string, query: { before: string; archived?: 'true' }) =>
  foldersToListPage(await callApi('GET /api/family/children/{child}/folders', { params: { child }, query }))

function FolderRow({ folder }: { folder: OwnFolderSummary }) {
  const { sessions } = folder
  return (
    <a
      href={`/family/folder/${folder.id}`}
      className={cx(
        'group/row flex items-center gap-4 overflow-hidden rounded-card border border-line bg-paper pr-4',
        'transition-[border-color] hover:border-ink-2',
      )}
    >
      <VideoPoster src={folder.poster} className="w-28 shrink-0 self-stretch sm:w-36" />
      <span className="flex min-w-0 flex-1 flex-col gap-1 py-3">
        <span className="font-medium wrap-anywhere group-hover/row:underline">{folder.name}</span>
        <span className="text-14 text-ink-2">
          {countWithNoun(folder.videos, 'video')}
          {folder.instructor && ` · ${folder.instructor.name}`}
          {sessions.length > 1 && ` · ${countWithNoun(sessions.length, 'session')}`}
        </span>
        <span className="flex flex-wrap items-center justify-between gap-2">
          <FolderStatusBadge status={folder.status} viewer="family" />
          <span className="text-13 text-ink-2">
            <RelativeTime at={folder.updated} />
          </span>
        </span>
      </span>
    </a>
  )
}

/** Lists everyone who can watch the child's videos; instructors are listed by name. */
function WhoCanSee({ child, reviewers }: { child: Child; reviewers: ChildInstructorWithChecks[] }) {
  return (
    <section aria-labelledby="who-can-see" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="who-can-see" className="text-18">
        Who can see {child.firstName}'s videos
      </h2>
      <ul className="mt-3 flex list-disc flex-col gap-2 pl-5">
        <li>{child.firstName}, and you</li>
        {reviewers.map(({ id, name, checks }) => (
          <li key={id}>
            {name}: only the videos of their own sessions
            <CompletedChecksLine checks={checks} className="mt-1" />
          </li>
        ))}
        {reviewers.length === 0 && <li>No instructor yet. Each will see only the videos of their own sessions.</li>}
        <li>Anyone you give a private link to: only that review, until the link expires or you revoke it</li>
        <li>Our administrators, when they help someone or look into a complaint</li>
      </ul>
      <p className="mt-3 text-14 text-ink-2">Nobody else. Instructors never see where a video was filmed.</p>
    </section>
  )
}

function ArchivedFolderList({ child }: { child: Child }) {
  const { data, error, retry } = useQuery('GET /api/family/children/{child}/folders', {
    params: { child: child.id },
    query: { archived: 'true' },
  })
  const { rows = [], ...paging } = useMorePages({
    first: data && foldersToListPage(data),
    load: before => fetchFolderPage(child.id, { before, archived: 'true' }),
    keyOf: folder => folder.id,
  })
  if (error && !data) return <CardError error={errorMessage(error)} retry={retry} />
  if (!data) {
    return (
      <LoadingRegion label="Loading archived folders">
        <Skeleton className="h-24" />
      </LoadingRegion>
    )
  }
  return (
    <>
      {rows.map(folder => (
        <FolderRow key={folder.id} folder={folder} />
      ))}
      <LoadMoreFooter shown={rows.length} total={data.total} {...paging} label="Show more archived folders" />
    </>
  )
}

/** The folders of a child, each with a link to the guardian's read-only view, and below them everyone who can watch the child's videos. */
export function ChildFolders({ child }: { child: Child }) {
  const { data, error, retry } = useQuery('GET /api/family/children/{child}/folders', { params: { child: child.id }, query: {} })
  const { rows = [], ...paging } = useMorePages({
    first: data && foldersToListPage(data),
    load: before => fetchFolderPage(child.id, { before }),
    keyOf: folder => folder.id,
  })
  if (error && !data) return <ErrorState title="The folders did not load" error={errorMessage(error)} retry={retry} />
  if (!data) return <Skeleton className="h-48" />
  return (
    <div className="flex flex-col gap-10">
      <section aria-labelledby="sessions" className="flex flex-col gap-4">
        <h2 id="sessions" className="text-22">
          Folders and sessions
        </h2>
        {rows.map(folder => (
          <FolderRow key={folder.id} folder={folder} />
        ))}
        {rows.length === 0 && data.archived === 0 && (
          <EmptyState title="No folders yet">What {child.firstName} uploads and what instructors answer appears here.</EmptyState>
        )}
        <LoadMoreFooter shown={rows.length} total={data.total} {...paging} label="Show more folders" />
        {data.archived > 0 && (
          <ArchivedFoldersSection count={data.archived}>
            <div className="flex flex-col gap-4 p-4 sm:p-6">
              <ArchivedFolderList child={child} />
            </div>
          </ArchivedFoldersSection>
        )}
      </section>
      <WhoCanSee child={child} reviewers={data.reviewers} />
    </div>
  )
}
