import { type ReactNode, Suspense } from 'react'
import { useHydrated } from './hydrated.ts'

/**
 * What the browser alone shows, and may load first; `fallback` stands in for it, on the server too, and there without a <Suspense>: a large
 * part inside one is sent beside its own stand-in, to be put in its place by a script.
 */
export const ClientOnly = ({ fallback, children }: { fallback: ReactNode; children: ReactNode }) =>
  useHydrated() ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
