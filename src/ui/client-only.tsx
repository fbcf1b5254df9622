import { type ReactNode, Suspense } from 'react'
import { useHydrated } from './hydrated.ts'

/**
 * Renders its children in the browser alone, where they may suspend; the server renders `fallback`. The server renders no <Suspense>, because
 * React streams a large part inside one after the page and moves it into place by an inline script, which the content security policy forbids.
 */
export const ClientOnly = ({ fallback, children }: { fallback: ReactNode; children: ReactNode }) =>
  useHydrated() ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
