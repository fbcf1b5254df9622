import { Suspense, useEffect, useState } from 'react'
import type { AdminPerson } from '../../../modules/admin-person/contract.ts'
import type { PaymentOrPackageReference } from '../../administration/EventLogEntry.tsx'
import { PaymentOrPackageDialog } from '../../administration/PaymentOrPackageDialog.tsx'
import { ProtectedAdminPage } from '../../administration/ProtectedAdminPage.tsx'
import { ApiError } from '../../client/api.ts'
import { lastPathSegment } from '../../client/last-path-segment.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { site } from '../../site.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { capitalize } from '../../ui/capitalize.ts'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { PersonFacts } from './PersonFacts.tsx'
import { PersonFamily } from './PersonFamily.tsx'
import { PersonHistory } from './PersonHistory.tsx'
import { PersonRecords } from './PersonRecords.tsx'

const WaiveInstructorDebtDialog = lazyWithRetry(() =>
  import('./WaiveInstructorDebtDialog.tsx').then(m => ({ default: m.WaiveInstructorDebtDialog })),
)

const back = { href: '/admin/dashboard', label: 'Overview' }

/** Everything about one person: identity, family, records, and history. */
function PersonScreen({ person }: { person: AdminPerson }) {
  const [money, setMoney] = useState<PaymentOrPackageReference>()
  const [isWaiving, setWaiving] = useState(false)
  useEffect(() => {
    document.title = `${person.name} · ${site.name}`
  }, [person.name])
  return (
    <div className="page">
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-4">
            <Avatar name={person.name} picture={person.picture} size="lg" />
            {person.name}
          </span>
        }
        about={
          <span className="flex flex-wrap items-center gap-2">
            <Badge>{capitalize(person.kind)}</Badge>
            {person.closingReason !== null ? (
              <Badge tone="red">Closed</Badge>
            ) : (
              person.deletionDue && <Badge tone="red">Asked for deletion</Badge>
            )}
          </span>
        }
        back={back}
      />
      <div className="grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-4 sm:gap-6">
          <PersonFacts person={person} onWaive={() => setWaiving(true)} />
          <PersonFamily person={person} />
        </div>
        <PersonRecords person={person} onMoney={setMoney} />
      </div>
      <PersonHistory person={person.id} onMoney={setMoney} />
      {money && <PaymentOrPackageDialog of={money} onClose={() => setMoney(undefined)} />}
      {isWaiving && (
        <Suspense fallback={null}>
          <WaiveInstructorDebtDialog instructor={person} onClose={() => setWaiving(false)} />
        </Suspense>
      )}
    </div>
  )
}

function Page() {
  const person = lastPathSegment(location.pathname)
  const { data, error, retry } = useQuery('GET /api/admin/people/{person}', { params: { person } })
  if (data) return <PersonScreen person={data} />
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 422)
  return (
    <div className="page pt-8">
      <h1 className="sr-only">Person</h1>
      {!error ? (
        <LoadingRegion label="Loading the person" className="flex flex-col gap-6">
          <Skeleton className="h-14 w-72" />
          <Skeleton className="h-96" />
        </LoadingRegion>
      ) : isMissing ? (
        <ErrorState
          title="Person not found"
          error="The link may be incomplete, or the account was deleted."
          action={<ButtonLink href={back.href}>{back.label}</ButtonLink>}
        />
      ) : (
        <ErrorState title="The person did not load" error={errorMessage(error)} retry={retry} />
      )}
    </div>
  )
}

export default () => (
  <ProtectedAdminPage>
    <Page />
  </ProtectedAdminPage>
)
