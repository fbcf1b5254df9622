import { useStore } from '@nanostores/react'
import { Plus } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { MAX_VIDEO_BYTES } from '../../../modules/folders/policy.ts'
import type { ModelClip } from '../../../modules/model-clips/contract.ts'
import { MAX_MODEL_CLIPS_PER_LIBRARY } from '../../../modules/model-clips/policy.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { ACCEPTED_FILES } from '../../upload/check-file-size-and-type.ts'
import { UploadList } from '../../upload/UploadList.tsx'
import { createUploadQueue } from '../../upload/upload-queue.ts'
import { ModelClipCard } from './ModelClipCard.tsx'
import { RetainedModelClips } from './RetainedModelClips.tsx'

const NewModelClipDetailsDialog = lazyWithRetry(() =>
  import('./NewModelClipDetailsDialog.tsx').then(m => ({ default: m.NewModelClipDetailsDialog })),
)
const EditModelClipDialog = lazyWithRetry(() => import('./EditModelClipDialog.tsx').then(m => ({ default: m.EditModelClipDialog })))
const DeleteModelClipDialog = lazyWithRetry(() => import('./DeleteModelClipDialog.tsx').then(m => ({ default: m.DeleteModelClipDialog })))

const QUERY = 'GET /api/model-clips'
/** The poll interval while clips are being prepared. */
const POLL_MS = 3000
const LIST = 'grid grid-cols-1 gap-4 sm:grid-cols-2 sm:gap-6 lg:grid-cols-3'
const isBeingPrepared = ({ video: { rendition } }: ModelClip) => rendition?.state !== 'ready' && rendition?.state !== 'refused'

type OpenDialog = { kind: 'new'; file: File } | { kind: 'edit' | 'delete' | 'delete-retained'; clip: ModelClip }

/** The instructor's library of model clips. `library`: its id, which equals the instructor's id. */
function ModelClips({ library }: { library: string }) {
  const { data, error, retry } = useQuery(QUERY)
  const [uploads] = useState(() => createUploadQueue(library, () => refetchQueries(QUERY)))
  const items = useStore(uploads.$items)
  const [dialog, setDialog] = useState<OpenDialog>()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    uploads.load().catch(() => {
      // The page works without the list of unfinished uploads: the instructor can upload the file again.
    })
  }, [uploads])
  const polls = data?.clips.some(isBeingPrepared)
  useEffect(() => {
    if (!polls) return
    const timer = setInterval(() => refetchQueries(QUERY), POLL_MS)
    return () => clearInterval(timer)
  }, [polls])
  const isFull = (data?.clips.length ?? 0) >= MAX_MODEL_CLIPS_PER_LIBRARY
  const choose = () => input.current?.click()
  const close = () => setDialog(undefined)
  const addButton = (
    <Button icon={<Plus aria-hidden="true" size={20} strokeWidth={2} />} onClick={choose}>
      Add a clip
    </Button>
  )
  return (
    <div className="page">
      <PageHeader
        title="Model clips"
        about="Good swings and deliveries to show beside your players’ own. Players see a clip only in a review that shows it."
        back={{ href: '/instructor/dashboard', label: 'Your queue' }}
        action={data?.clips.length && !isFull ? addButton : undefined}
      />
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_FILES}
        hidden
        aria-label="Choose a model clip"
        onChange={e => {
          const file = e.currentTarget.files?.[0]
          if (file) setDialog({ kind: 'new', file })
          e.currentTarget.value = ''
        }}
      />
      {isFull && (
        <p className="mb-4 rounded-field bg-ink-wash p-3 font-medium text-gold">
          Your library has {MAX_MODEL_CLIPS_PER_LIBRARY} clips, which is the limit. Delete one to add another.
        </p>
      )}
      {items.length > 0 && (
        <section aria-label="Uploads" className="mb-6 overflow-hidden rounded-card border border-line bg-paper">
          <UploadList uploads={uploads} items={items} onChoose={choose} />
        </section>
      )}
      {!data &&
        (error ? (
          <ErrorState title="Your model clips did not load" error={errorMessage(error)} retry={retry} />
        ) : (
          <LoadingRegion label="Loading your model clips" className={LIST}>
            <Skeleton className="h-80" />
            <Skeleton className="h-80" />
            <Skeleton className="h-80 max-lg:hidden" />
          </LoadingRegion>
        ))}
      {data && !data.clips.length && !items.length && (
        <EmptyState title="Your first model clip" action={addButton}>
          Upload a swing or a delivery that shows what you teach, in MP4, MOV or WEBM, up to {MAX_VIDEO_BYTES / 1024 / 1024} MB. In the
          studio, Compare sets it beside your player’s clip.
        </EmptyState>
      )}
      {data && data.clips.length > 0 && (
        <ul aria-label="Model clips" className={LIST}>
          {data.clips.map(clip => (
            <ModelClipCard
              key={clip.video.id}
              clip={clip}
              onEdit={() => setDialog({ kind: 'edit', clip })}
              onDelete={() => setDialog({ kind: 'delete', clip })}
            />
          ))}
        </ul>
      )}
      {data && data.retained.length > 0 && (
        <RetainedModelClips clips={data.retained} onDelete={clip => setDialog({ kind: 'delete-retained', clip })} />
      )}
      {dialog && (
        <Suspense fallback={null}>
          {dialog.kind === 'new' && (
            <NewModelClipDetailsDialog
              file={dialog.file}
              onClose={close}
              onUpload={details => {
                close()
                uploads.add([dialog.file], 0, details)
              }}
            />
          )}
          {dialog.kind === 'edit' && <EditModelClipDialog clip={dialog.clip} onClose={close} />}
          {(dialog.kind === 'delete' || dialog.kind === 'delete-retained') && (
            <DeleteModelClipDialog clip={dialog.clip} isRetained={dialog.kind === 'delete-retained'} onClose={close} />
          )}
        </Suspense>
      )}
    </div>
  )
}

export default () => <ProtectedPage role="instructor">{user => <ModelClips library={user.id} />}</ProtectedPage>
