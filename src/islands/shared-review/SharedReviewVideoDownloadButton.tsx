import { Download } from 'lucide-react'
import { callApi } from '../../client/api.ts'
import { lastPathSegment } from '../../client/last-path-segment.ts'
import { useQuery } from '../../client/query.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/field.tsx'
import { formatBytes } from '../../ui/format-duration-and-size.ts'

const QUERY = 'GET /api/shared/{token}/video'

/** A button that downloads the whole review as one video file; renders nothing unless that file is ready. */
export function SharedReviewVideoDownloadButton() {
  const input = { params: { token: lastPathSegment(location.pathname) } }
  const { data } = useQuery(QUERY, input)
  const command = useCommand()
  if (data?.state !== 'ready') return null
  const download = () =>
    command.run(async () => {
      // The URL that came with the page may have expired.
      const { url } = await callApi(QUERY, input)
      if (url) location.assign(url)
    })
  return (
    <div className="flex flex-col gap-3">
      <Button
        variant="secondary"
        className="self-start max-sm:w-full"
        busy={command.busy}
        icon={<Download aria-hidden="true" size={20} strokeWidth={1.75} />}
        onClick={download}
      >
        Download video ({formatBytes(data.bytes ?? 0)})
      </Button>
      <FormError>{command.message}</FormError>
    </div>
  )
}
