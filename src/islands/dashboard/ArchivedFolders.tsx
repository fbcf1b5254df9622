import type { OwnFolderSummary } from '../../../modules/folders/contract.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import { useMorePages } from '../../client/use-more-pages.ts'
import { ArchivedFoldersSection } from '../../folders/ArchivedFoldersSection.tsx'
import { Button } from '../../ui/button.tsx'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { videoCountLabel } from './FolderCard.tsx'
import { convertFoldersReplyToListPage, fetchNextArchivedFolderPage } from './folder-list-pages.ts'

/** The player's archived folders, each with a button that restores it. */
export const ArchivedFolders = ({ count }: { count: number }) => (
  <ArchivedFoldersSection count={count} className="mt-10">
    <ArchivedList />
  </ArchivedFoldersSection>
)

function ArchivedList() {
  const { data, error, retry } = useQuery('GET /api/folders', { query: { archived: 'true' } })
  const restore = useCommand()
  const { rows = [], ...paging } = useMorePages({
    first: data && convertFoldersReplyToListPage(data),
    reply: data,
    load: fetchNextArchivedFolderPage,
    keyOf: f => f.id,
  })
  async function restoreFolder(folder: OwnFolderSummary) {
    const done = await restore.run(async () => {
      try {
        await sendCommand('POST /api/folders/{folder}/restore', { params: { folder: folder.id } })
      } catch (failure) {
        toast({ title: 'Not restored', description: errorMessage(failure), variant: 'destructive' })
        throw failure
      } finally {
        await refetchQueries('GET /api/folders')
      }
    })
    if (done) toast({ title: 'Restored', description: `${folder.name} is back with your folders.` })
  }
  if (error && !data) return <CardError className="p-4 sm:px-6" error={errorMessage(error)} retry={retry} />
  if (!data) {
    return (
      <LoadingRegion label="Loading archived folders" className="p-4 sm:px-6">
        <Skeleton className="h-11" />
      </LoadingRegion>
    )
  }
  return (
    <div className="flex flex-col gap-4 pb-4">
      <ul className="divide-y divide-line border-b border-line">
        {rows.map(folder => (
          <li key={folder.id} className="flex items-center justify-between gap-3 px-4 py-2 sm:px-6">
            <a href={`/player/folder/${folder.id}`} className="min-w-0 py-2 hover:underline">
              <span className="block truncate font-medium">{folder.name}</span>
              <span className="block text-13 text-ink-2">{videoCountLabel(folder.videos)}</span>
            </a>
            <Button
              variant="secondary"
              size="sm"
              disabled={restore.busy}
              onClick={() => restoreFolder(folder)}
              aria-label={`Restore ${folder.name}`}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
      <LoadMoreFooter shown={rows.length} total={data.total} {...paging} label="Show more archived folders" />
    </div>
  )
}
