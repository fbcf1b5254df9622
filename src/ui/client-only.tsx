import { type ReactNode, Suspense } from 'react'
import { useHydrated } from './use-hydrated.ts'

/**
 * Renders its children only in the browser, where they may suspend; the server renders `fallback`. The server renders no <Suspense>,
 * because React would stream large content after the page and move it into place with an inline script, which the content security policy
 * forbids.
 */
export const ClientOnly = ({ fallback, children }: { fallback: ReactNode; children: ReactNode }) =>
  useHydrated() ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
