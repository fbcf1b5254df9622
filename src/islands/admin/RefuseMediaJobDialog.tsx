import { useRef } from 'react'
import type { ListedMediaJob } from '../../../modules/media/contract.ts'
import { ReasonDialog } from '../../administration/ReasonDialog.tsx'
import { callApi } from '../../client/api.ts'
import { refetchQueries } from '../../client/query.ts'

/** Stops the preparation of a video until an administrator retries it. The player or instructor who uploaded it reads the reason. */
export function RefuseMediaJobDialog({ job, onClose, onRefused }: { job: ListedMediaJob; onClose: () => void; onRefused: () => void }) {
  const { video, kind } = job
  const isRefused = useRef(false)
  return (
    <ReasonDialog
      formKey={`refuse-${kind}-${video}`}
      title="Refuse this video?"
      about="Preparation stops. The player or instructor who uploaded the video sees your reason."
      hint="Shown beside the video. Say what is wrong and what to do next."
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
