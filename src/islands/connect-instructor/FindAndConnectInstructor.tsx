import { Search } from 'lucide-react'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import type { Instructor } from '../../../modules/instructors/contract.ts'
import { type CallInput, callApi, type Reply } from '../../client/api.ts'
import { isNotFound } from '../../client/is-not-found.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { useMorePages } from '../../client/use-more-pages.ts'
import { ConnectAndFollowButtons } from '../../instructors/ConnectAndFollowButtons.tsx'
import { type ConnectedAndFollowedInstructors, useMyInstructorsWithActions } from '../../instructors/connect-and-follow-instructors.ts'
import { InstructorCard, instructorName } from '../../instructors/InstructorCard.tsx'
import { InvitedOrChosenInstructorCard } from '../../instructors/InvitedOrChosenInstructorCard.tsx'
import { skillName } from '../../instructors/sport-and-skill-labels.ts'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { controlClasses, Field, SelectField } from '../../ui/field.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { extractInviteCode } from './extract-invite-code.ts'
import { EMPTY_INSTRUCTOR_FILTER, type InstructorFilter, SEARCH_DEBOUNCE_MS } from './instructor-filter-defaults.ts'

const GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'
const skills = ['hitting', 'pitching', 'fielding', 'catching']

function InstructorGridSkeleton() {
  return (
    <LoadingRegion label="Loading the instructors" className={GRID}>
      {['a', 'b', 'c'].map(key => (
        <span key={key} className="block rounded-card border border-line bg-paper p-4 sm:p-6">
          <span className="flex items-center gap-4">
            <Skeleton className="size-16 rounded-full!" />
            <span className="flex-1 space-y-2">
              <Skeleton className="h-5 w-3/5" />
              <Skeleton className="h-4 w-4/5" />
            </span>
          </span>
          <Skeleton className="mt-4 h-6 w-2/3" />
          <Skeleton className="mt-4 h-5 w-4/5" />
          <Skeleton className="mt-4 h-11 w-full" />
        </span>
      ))}
    </LoadingRegion>
  )
}

const SEARCH = 'GET /api/instructor-search'
type Found = Reply<typeof SEARCH>
type SearchQuery = CallInput<typeof SEARCH>['query']

const pageOf = ({ instructors, next }: Found) => ({ rows: instructors, next })

/** The matching instructors, page by page. Memoized, so that typing in the search rerenders the list only when the results change. */
const FoundInstructors = memo(function FoundInstructors({
  found,
  query,
  connections,
}: {
  found: Found
  query: SearchQuery
  connections: ConnectedAndFollowedInstructors
}) {
  const { rows = [], ...paging } = useMorePages({
    first: pageOf(found),
    load: async after => pageOf(await callApi(SEARCH, { query: { ...query, after } })),
    keyOf: instructor => instructor.id,
    list: JSON.stringify(query),
  })
  return (
    <div className="flex flex-col gap-6">
      <InstructorGrid instructors={rows} connections={connections} />
      <LoadMoreFooter shown={rows.length} total={found.total} {...paging} />
    </div>
  )
})

const InstructorGrid = ({
  instructors,
  connections,
  invite,
}: {
  instructors: Instructor[]
  connections: ConnectedAndFollowedInstructors
  invite?: string
}) => (
  <div className={GRID}>
    {instructors.map(i => (
      // An invitation may come from a pending instructor, whose profile only their own players may open.
      <InstructorCard key={i.id} instructor={i} hasProfile={!invite || connections.canAssign(i.id)}>
        <ConnectAndFollowButtons id={i.id} name={instructorName(i)} connections={connections} invite={invite} wide />
      </InstructorCard>
    ))}
  </div>
)

function useDebounced(filter: InstructorFilter): InstructorFilter {
  const [debounced, setDebounced] = useState(filter)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(filter), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [filter])
  return debounced
}

/** The first page of search results. While a new search is loading, the previous results stay. */
function useSearch(filter: InstructorFilter) {
  const { name, sport, skill } = useDebounced(filter)
  const query = useMemo(
    () => ({ ...(name.trim() && { name: name.trim() }), ...(sport && { sport }), ...(skill && { skill }) }) as SearchQuery,
    [name, sport, skill],
  )
  const { data, error, retry } = useQuery(SEARCH, { query })
  const last = useRef<{ found: Found; query: SearchQuery; name: string }>(undefined)
  if (data && last.current?.found !== data) last.current = { found: data, query, name }
  return { shown: last.current, error: data ? undefined : error, retry }
}

function Screen() {
  const connections = useMyInstructorsWithActions()
  const [filter, setFilter] = useState<InstructorFilter>(EMPTY_INSTRUCTOR_FILTER)
  const { shown, error, retry } = useSearch(filter)
  // Instructors tell players their code, so the name search also accepts a code.
  const code = shown?.found.total === 0 ? extractInviteCode(shown.name) : undefined
  const byCode = useQuery('GET /api/instructors/by-invite/{inviteCode}', code ? { params: { inviteCode: code } } : false)
  const unknown = isNotFound(byCode.error)
  const count = code ? (byCode.data ? 1 : unknown ? 0 : undefined) : shown?.found.total
  const failed = error ? { error, retry } : byCode.error && !unknown ? byCode : undefined
  return (
    <div className="page">
      <PageHeader
        title="Connect with an instructor"
        about="Choose who reviews your videos. Instructors you follow or connect with come first when you assign a folder. You can have more than one and change them at any time."
        action={
          <ButtonLink variant={connections.mine.some(i => i.connected) ? 'primary' : 'secondary'} href="/player/dashboard">
            Go to your folders
          </ButtonLink>
        }
      />
      <InvitedOrChosenInstructorCard connections={connections} />
      <search className="mb-6 grid grid-cols-2 gap-3 sm:grid-cols-[2fr_1fr_1fr]">
        <Field label="Name or invite code" className="max-sm:col-span-2">
          {wiring => (
            <div className="relative">
              <Search aria-hidden="true" size={18} strokeWidth={1.75} className="absolute top-3.25 left-3 text-ink-2" />
              <input
                {...wiring}
                type="search"
                autoComplete="off"
                value={filter.name}
                onChange={e => setFilter({ ...filter, name: e.target.value })}
                className={`${controlClasses} h-11 pl-10`}
              />
            </div>
          )}
        </Field>
        <SelectField label="Sport" value={filter.sport} onChange={e => setFilter({ ...filter, sport: e.target.value })}>
          <option value="">Any</option>
          <option value="baseball">Baseball</option>
          <option value="softball">Softball</option>
        </SelectField>
        <SelectField label="Skill" value={filter.skill} onChange={e => setFilter({ ...filter, skill: e.target.value })}>
          <option value="">Any</option>
          {skills.map(skill => (
            <option key={skill} value={skill}>
              {skillName(skill)}
            </option>
          ))}
        </SelectField>
      </search>
      <p role="status" className="sr-only">
        {count !== undefined && `${count} found`}
      </p>
      {failed ? (
        <ErrorState title="The instructors did not load" error={errorMessage(failed.error)} retry={failed.retry} />
      ) : !shown || count === undefined ? (
        <InstructorGridSkeleton />
      ) : count === 0 && !code && !Object.keys(shown.query).length ? (
        <EmptyState title="Instructors Coming Soon">
          The first instructors are getting ready. In the meantime, upload your videos.
        </EmptyState>
      ) : count === 0 ? (
        <EmptyState
          title={code ? 'No instructor has this code' : 'No instructors found'}
          action={
            <Button variant="secondary" onClick={() => setFilter(EMPTY_INSTRUCTOR_FILTER)}>
              Show everyone
            </Button>
          }
        >
          {code ? 'Check it against the one your instructor sent you, or ask for a new one.' : 'Try another name, sport or skill.'}
        </EmptyState>
      ) : code ? (
        <InstructorGrid instructors={[byCode.data!]} connections={connections} invite={code} />
      ) : (
        <FoundInstructors found={shown.found} query={shown.query} connections={connections} />
      )}
    </div>
  )
}

export default function FindAndConnectInstructor() {
  return <ProtectedPage role="player">{() => <Screen />}</ProtectedPage>
}
