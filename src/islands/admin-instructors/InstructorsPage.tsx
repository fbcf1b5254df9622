import { Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { VettingStatus } from '../../../modules/instructors/contract.ts'
import { ProtectedAdminPage } from '../../administration/ProtectedAdminPage.tsx'
import { callApi, type Reply } from '../../client/api.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { useMorePages } from '../../client/use-more-pages.ts'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { controlClasses, Field } from '../../ui/field.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { InstructorVettingDetails } from './InstructorVettingDetails.tsx'

const tabs: { value: VettingStatus; label: string; empty: string }[] = [
  { value: 'pending', label: 'Pending', empty: 'New instructors wait here until you approve or decline them.' },
  { value: 'approved', label: 'Approved', empty: 'Instructors you approve are listed here, and players can find them.' },
  { value: 'suspended', label: 'Suspended', empty: 'Players cannot reach an instructor you suspend.' },
  { value: 'declined', label: 'Declined', empty: 'Instructors you decline stay here, and can be approved later.' },
]

/**
 * The tab named in the URL, so that a reload keeps it. The contract's schema is not used to parse it, because zod would add 22 KB of
 * script.
 */
const tabInAddress = () => tabs.find(({ value }) => value === new URLSearchParams(location.search).get('status'))?.value ?? 'pending'

const LIST = 'GET /api/admin/instructors'
const pageOf = ({ instructors, next }: Reply<typeof LIST>) => ({ rows: instructors, next })

function List({ status, search, empty }: { status: VettingStatus; search: string; empty: string }) {
  const query = { status, ...(search && { search }) }
  const { data, error, retry } = useQuery(LIST, { query })
  const { rows = [], ...paging } = useMorePages({
    first: data && pageOf(data),
    reply: data,
    load: async after => pageOf(await callApi(LIST, { query: { ...query, after } })),
    keyOf: instructor => instructor.id,
  })
  if (error && !data) return <ErrorState title="The instructors did not load" error={errorMessage(error)} retry={retry} />
  if (!data) {
    return (
      <LoadingRegion label="Loading instructors" className="flex flex-col gap-4">
        <Skeleton className="h-96 rounded-card!" />
        <Skeleton className="h-96 rounded-card!" />
      </LoadingRegion>
    )
  }
  if (!rows.length) {
    return search ? (
      <EmptyState title="No match">Try part of a name or email.</EmptyState>
    ) : (
      <EmptyState title="No instructors">{empty}</EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      {rows.map(instructor => (
        <InstructorVettingDetails key={instructor.id} instructor={instructor} />
      ))}
      <LoadMoreFooter shown={rows.length} total={search ? null : data.counts[status]} {...paging} label="Show more instructors" />
    </div>
  )
}

/** The instructor's id from the URL, or null if it has none. The page of a person who is an instructor links here with their id. */
const instructorInAddress = () => new URLSearchParams(location.search).get('instructor')

/** Shows only the instructor named in the URL. */
function OneInstructor({ id }: { id: string }) {
  const { data, error, retry } = useQuery('GET /api/admin/instructors/{instructor}', { params: { instructor: id } })
  return (
    <div className="page">
      <PageHeader title="Instructor" back={{ href: '/admin/instructors', label: 'All instructors' }} />
      {data ? (
        <InstructorVettingDetails instructor={data} />
      ) : error ? (
        <ErrorState title="The instructor did not load" error={errorMessage(error)} retry={retry} />
      ) : (
        <LoadingRegion label="Loading the instructor">
          <Skeleton className="h-96 rounded-card!" />
        </LoadingRegion>
      )}
    </div>
  )
}

function Instructors() {
  const [status, setStatus] = useState(tabInAddress)
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const { data } = useQuery('GET /api/admin/instructors', { query: { status: 'pending' } })
  const choose = (next: string) => {
    setStatus(next as VettingStatus)
    history.replaceState(null, '', `?status=${next}`)
  }
  return (
    <div className="page">
      <PageHeader
        title="Instructors"
        about="Players can find the instructors you approve. Checks that expire soon come first."
        back={{ href: '/admin/dashboard', label: 'Overview' }}
      />
      <search className="mb-6 block max-w-md">
        <Field label="Name or email">
          {wiring => (
            <div className="relative">
              <Search aria-hidden="true" size={18} strokeWidth={1.75} className="absolute top-3.25 left-3 text-ink-2" />
              <input
                {...wiring}
                type="search"
                autoComplete="off"
                maxLength={100}
                value={typed}
                onChange={e => setTyped(e.target.value)}
                className={`${controlClasses} h-11 pl-10`}
              />
            </div>
          )}
        </Field>
      </search>
      <Tabs
        label="Instructors"
        value={status}
        onValueChange={choose}
        tabs={tabs.map(({ value, label, empty }) => ({
          value,
          label: (
            <>
              {label} {data && <span className="font-normal max-sm:hidden">{data.counts[value]}</span>}
            </>
          ),
          content: <List key={search} status={value} search={search} empty={empty} />,
        }))}
      />
    </div>
  )
}

function Page() {
  const [named] = useState(instructorInAddress)
  return named ? <OneInstructor id={named} /> : <Instructors />
}

export default () => (
  <ProtectedAdminPage>
    <Page />
  </ProtectedAdminPage>
)
