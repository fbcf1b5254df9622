import { useEffect } from 'react'
import type { DataExportStatus } from '../../modules/privacy/contract.ts'
import { errorMessage, useCommand } from '../client/use-command.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { dateFormatter } from '../ui/date-formatter.ts'
import { CardError } from '../ui/empty-and-error-states.tsx'
import { FormError } from '../ui/field.tsx'
import { formatBytes } from '../ui/format-duration-and-size.ts'
import { LoadingRegion, Skeleton } from '../ui/skeleton.tsx'

const REFETCH_MS = 5000
const longDate = dateFormatter({ dateStyle: 'long' })

interface ExportSource {
  /** Text about the file's contents, shown until an export exists. */
  about: string
  query: { data?: { export: DataExportStatus | null }; error?: unknown; retry: () => void }
  /** Returns the URL of the export file with this id. */
  href: (id: string) => string
  request: () => Promise<unknown>
  refetch: () => Promise<unknown>
}

/** Offers everything we store about somebody as one file, which the server prepares in the background. */
export function DataExport({ about, query: { data, error, retry }, ...source }: ExportSource) {
  if (error) return <CardError error={errorMessage(error)} retry={retry} />
  if (!data) {
    return (
      <LoadingRegion>
        <Skeleton className="h-24 w-full" />
      </LoadingRegion>
    )
  }
  return <ExportState about={about} latest={data.export} {...source} />
}

function ExportState({
  about,
  latest,
  href,
  request,
  refetch,
}: Omit<ExportSource, 'query'> & {
  latest: DataExportStatus | null
}) {
  const command = useCommand()
  const isBeingMade = latest !== null && latest.made === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: `refetch` is a new function at each render but always does the same
  useEffect(() => {
    if (!isBeingMade) return
    const timer = setInterval(refetch, REFETCH_MS)
    return () => clearInterval(timer)
  }, [isBeingMade])
  const ask = async () => {
    if (await command.run(request)) await refetch()
  }
  return (
    <>
      <p className="mb-4 max-w-measure text-ink-2" role="status">
        {isBeingMade
          ? 'We are creating your file. This can take a few minutes. You can leave this page; we will email you when it is ready.'
          : latest?.made
            ? `Your file is ready: ${formatBytes(latest.made.bytes)}. You can download it until ${longDate(new Date(latest.made.until))}.`
            : about}
      </p>
      <div className="flex flex-wrap gap-3">
        {latest?.made && <ButtonLink href={href(latest.id)}>Download the file</ButtonLink>}
        {!isBeingMade && (
          <Button variant={latest?.made ? 'quiet' : 'secondary'} busy={command.busy} onClick={ask}>
            {latest?.made ? 'Create a new file' : 'Download everything'}
          </Button>
        )}
      </div>
      <FormError>{command.message}</FormError>
    </>
  )
}
