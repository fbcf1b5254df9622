import type { Profile } from '../../../modules/instructors/contract.ts'
import { missingProfileFields } from '../../profile/missing-fields.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

/** Tells instructors what their profile still needs before players can find them; renders nothing for a complete profile. */
export function IncompleteProfileCard({ profile }: { profile: Profile | undefined }) {
  const lacks = profile ? missingProfileFields(profile) : []
  if (!lacks.length) return null
  return (
    <Card className="mb-8 flex flex-wrap items-center justify-between gap-4 border-clay!">
      <div>
        <h2 className="text-18">Players cannot find you yet</h2>
        <p className="mt-1 text-ink-2">Still missing from your profile: {lacks.join(', ')}.</p>
      </div>
      <ButtonLink variant="clay" href="/fix-instructor-profile">
        Finish your profile
      </ButtonLink>
    </Card>
  )
}
