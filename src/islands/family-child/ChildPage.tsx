import { lastPathSegment } from '../../client/last-path-segment.ts'
import { CONSENT_STATUS_TEXTS, ConsentStatusBadge } from '../../family/consent-status.tsx'
import { RequireGuardianLogin } from '../../family/RequireGuardianLogin.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ChangeGuardianSection } from './ChangeGuardianSection.tsx'
import { ChildDataExport } from './ChildDataExport.tsx'
import { ChildFolders } from './ChildFolders.tsx'
import { ChildProgress } from './ChildProgress.tsx'
import { ConsentSection } from './ConsentSection.tsx'
import { DeleteChildAccountSection } from './DeleteChildAccountSection.tsx'

/** The page of one child, for the guardian. */
export default function ChildPage() {
  return (
    <RequireGuardianLogin>
      {({ children }, unmatchedLetterNotice) => {
        const child = children.find(c => c.id === lastPathSegment(location.pathname))
        if (!child) {
          return (
            <div className="page flex flex-col gap-6 py-8">
              {unmatchedLetterNotice}
              <ErrorState
                title="We could not find this child"
                error="The account may have become the player's own at 18, or a different guardian may now be listed."
                action={<ButtonLink href="/family">Your family</ButtonLink>}
              />
            </div>
          )
        }
        return (
          <div className="page max-w-3xl">
            <PageHeader
              title={child.firstName}
              about={CONSENT_STATUS_TEXTS[child.consent ?? 'waiting'](child.firstName)}
              back={{ href: '/family', label: 'Your family' }}
              tools={
                // The page header has negative margins for buttons; this margin cancels them, because the badge is not a button.
                <span className="my-2 ml-1">
                  <ConsentStatusBadge consent={child.consent} />
                </span>
              }
            />
            <div className="flex flex-col gap-10">
              {child.agreed && <ChildFolders child={child} />}
              {child.agreed && <ChildProgress child={child} />}
              <ConsentSection child={child} />
              {child.agreed && <ChildDataExport child={child} />}
              {child.agreed && <ChangeGuardianSection child={child} />}
              {child.agreed && <DeleteChildAccountSection child={child} />}
            </div>
          </div>
        )
      }}
    </RequireGuardianLogin>
  )
}
