import type { ReactNode } from 'react'
import { ApiError } from '../client/api.ts'
import { errorMessage } from '../client/use-command.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ErrorState } from '../ui/empty-and-error-states.tsx'

/** Shown instead of a folder. `missing` explains why there may be no folder at this URL. After any other error, a button retries. */
export function FolderLoadError({
  error,
  retry,
  missing,
  notice,
  back,
}: {
  error: unknown
  retry: () => unknown
  missing: string
  /** Shown above that explanation. */
  notice?: ReactNode
  back: { href: string; label: string }
}) {
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 422)
  return (
    <div className="page flex flex-col gap-6 pt-8">
      <h1 className="sr-only">Folder</h1>
      {isMissing ? (
        <>
          {notice}
          <ErrorState title="Folder not found" error={missing} action={<ButtonLink href={back.href}>{back.label}</ButtonLink>} />
        </>
      ) : (
        <ErrorState title="The folder did not load" error={errorMessage(error)} retry={retry} />
      )}
    </div>
  )
}
