import { useStore } from '@nanostores/react'
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { setSessionExpiredHandler } from '../client/api.ts'
import { $user, dashboardPath, loadSignedInUser, type User, wasSignedInAtLoad } from '../client/login-session.ts'
import { type PreloadedPageData, PreloadedPageDataContext } from '../page-load/preloaded-page-data-context.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { DiamondIcon } from '../ui/empty-and-error-states.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { preloadToaster } from '../ui/toast.ts'
import { RenderedAtContext } from '../ui/use-hydrated.ts'

/** Toasts are preloaded after this delay, so that everything the screen needs loads first. */
const TOASTER_PRELOAD_DELAY_MS = 2000

/** Loaded on demand, because most pages never show it. */
const Expired = lazyWithRetry(() => import('./SessionExpiredDialog.tsx').then(m => ({ default: m.SessionExpiredDialog })))

const FullPageNotice = ({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) => (
  <div role="alert" className="page flex min-h-96 flex-col items-center justify-center gap-4 py-16 text-center">
    <DiamondIcon className="text-field" />
    <h1 className="text-28">{title}</h1>
    <p className="max-w-measure text-ink-2">{children}</p>
    <div className="flex flex-wrap justify-center gap-2">{actions}</div>
  </div>
)

const wayOut = (
  <>
    <Button variant="secondary" onClick={() => location.reload()}>
      Refresh Page
    </Button>
    <ButtonLink href="/auth">Return to Login</ButtonLink>
  </>
)

function LoadingAccount() {
  const [late, setLate] = useState(0)
  useEffect(() => {
    const timers = [setTimeout(() => setLate(1), 3000), setTimeout(() => setLate(2), 5000)]
    return () => timers.forEach(clearTimeout)
  }, [])
  if (late === 2) {
    return (
      <FullPageNotice title="Having trouble loading?" actions={wayOut}>
        This can happen if your session has expired or if there's a connection issue.
      </FullPageNotice>
    )
  }
  return (
    <div role="status" className="flex min-h-96 flex-col items-center justify-center gap-2 text-ink-2">
      <Spinner />
      <h1 className="text-16 font-normal">Loading your account...</h1>
      {late === 1 && <p>Taking longer than expected...</p>}
    </div>
  )
}

/**
 * A screen for one role, or for everybody who is signed in. It renders its children once the account is known, and a notice for a wrong
 * role. Without a session, it redirects to /auth, or shows a notice if this browser seemed to be signed in. If the session ends later, it
 * stays on the page, so that nothing typed is lost (`SessionExpiredDialog`).
 * @param preloaded a `PreloadedPageData` as JSON, if the server rendered the page with its data
 */
export function ProtectedPage({
  role,
  preloaded,
  children,
}: {
  role?: User['role']
  preloaded?: string | undefined
  children: (user: User) => ReactNode
}) {
  const page = useMemo(() => (preloaded ? (JSON.parse(preloaded) as PreloadedPageData) : undefined), [preloaded])
  const user = useStore($user, { ssr: 'initial' })
  const [last, setLast] = useState<User>()
  const [ended, setEnded] = useState(false)
  useEffect(() => setSessionExpiredHandler(() => setEnded(true)), [])
  useEffect(() => {
    loadSignedInUser().catch(() => {})
    // This event makes `client:after-paint` replay the clicks, keys and submits from before hydration.
    document.querySelector('main > astro-island')?.dispatchEvent(new Event('hydrated'))
    const timer = setTimeout(preloadToaster, TOASTER_PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (user) setLast(user)
    else if (user === null && !wasSignedInAtLoad && !last) location.replace('/auth')
  }, [user, last])

  const shown = user ?? last ?? (page?.answers['/api/user'] as User | undefined)
  if (!shown) {
    if (user === undefined || !wasSignedInAtLoad) return <LoadingAccount />
    return (
      <FullPageNotice title="Session Error Detected" actions={wayOut}>
        Your login session appears to be invalid or has expired. Please try refreshing or logging in again.
      </FullPageNotice>
    )
  }
  if (role && shown.role !== role) {
    return (
      <FullPageNotice
        title="Access Denied"
        actions={<ButtonLink href={shown.role === 'admin' ? '/' : dashboardPath(shown.role)}>Go to Your Dashboard</ButtonLink>}
      >
        You don't have permission to access this page. This area is only available to {role}s.
      </FullPageNotice>
    )
  }
  return (
    <PreloadedPageDataContext value={page}>
      <RenderedAtContext value={page?.renderedAt}>
        <ErrorBoundary>{children(shown)}</ErrorBoundary>
      </RenderedAtContext>
      {ended && (
        <Suspense fallback={null}>
          <Expired user={shown} onDone={() => setEnded(false)} />
        </Suspense>
      )}
    </PreloadedPageDataContext>
  )
}
