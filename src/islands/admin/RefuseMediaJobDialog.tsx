import { useRef } from 'react'
import type { ListedMediaJob } from '../../../modules/media/contract.ts'
import { ReasonDialog } from '../../administration/ReasonDialog.tsx'
import { callApi } from '../../client/api.ts'
import { refetchQueries } from '../../client/query.ts'

/** Stops the processing of a video until an administrator retries it; the player reads the reason and may upload a replacement. */
export function RefuseMediaJobDialog({ job, onClose, onRefused }: { job: ListedMediaJob; onClose: () => void; onRefused: () => void }) {
  const { video, kind } = job
  const isRefused = useRef(false)
  return (
    <ReasonDialog
      formKey={`refuse-${kind}-${video}`}
      title="Refuse this video?"
      about="Preparation stops. The player sees your reason and can replace the video."
      hint="The player sees this beside the video."
      action="Refuse video"
      rows={2}
      send={reason => callApi('POST /api/admin/media/{video}/refuse', { params: { video }, query: { kind }, body: { reason } })}
      refetch={() => refetchQueries('GET /api/admin/media')}
      onDone={() => {
        isRefused.current = true
      }}
      onClose={onClose}
      // The focus can leave the dialog only after it has closed.
      onClosed={() => isRefused.current && onRefused()}
    />
  )
}
