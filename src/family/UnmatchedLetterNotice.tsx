import { Suspense } from 'react'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import type { FamilyData, ShowLetterSignInPage } from './RequireGuardianLogin.tsx'

const LetterForAnotherGuardianNotice = lazyWithRetry(() =>
  import('./LetterForAnotherGuardianNotice.tsx').then(m => ({ default: m.LetterForAnotherGuardianNotice })),
)

/**
 * Shown where a letter's link leads to nothing that the signed-in guardian may see. Renders nothing if the URL had no token. The notice is
 * loaded only then, because it is rare.
 */
export const UnmatchedLetterNotice = ({ family, showLetterSignInPage, className }: Props) =>
  showLetterSignInPage && (
    <Suspense>
      <LetterForAnotherGuardianNotice email={family.guardian.email} showLetterSignInPage={showLetterSignInPage} className={className} />
    </Suspense>
  )
interface Props {
  family: FamilyData
  showLetterSignInPage: ShowLetterSignInPage
  className?: string
}
