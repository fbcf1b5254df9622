import { type ReactNode, Suspense } from 'react'
import { useAwake } from './awake.ts'

/**
 * What the browser alone shows, and may load first; `meanwhile` stands in for it, on the server too, and there without a <Suspense>: a large
 * part inside one is sent beside its own stand-in, to be put in its place by a script.
 */
export const OnceAwake = ({ meanwhile, children }: { meanwhile: ReactNode; children: ReactNode }) =>
  useAwake() ? <Suspense fallback={meanwhile}>{children}</Suspense> : meanwhile
