import { Search } from 'lucide-react'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import type { Instructor } from '../../../modules/instructors/contract.ts'
import { errorMessage } from '../../client/command.ts'
import { isNotFound } from '../../client/not-found.ts'
import { useQuery } from '../../client/query.ts'
import { ConnectButtons } from '../../instructors/ConnectButtons.tsx'
import { type Connections, useConnections } from '../../instructors/connections.ts'
import { InstructorCard, instructorName } from '../../instructors/InstructorCard.tsx'
import { skillName } from '../../instructors/labels.ts'
import { Protected } from '../../shell/Protected.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { controlClasses, Field, SelectField } from '../../ui/field.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { InvitationCard } from './InvitationCard.tsx'
import { filterInstructors, type InstructorFilter, inviteCodeIn, NO_FILTER } from './instructor-filter.ts'

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

/** Memoized, so that typing in the search rerenders the list only when the results change. */
const InstructorGrid = memo(function InstructorGrid({
  instructors,
  connections,
  invite,
}: {
  instructors: Instructor[]
  connections: Connections
  invite?: string
}) {
  return (
    <div className={GRID}>
      {instructors.map(i => (
        <InstructorCard key={i.id} instructor={i}>
          <ConnectButtons id={i.id} name={instructorName(i)} connections={connections} invite={invite} wide />
        </InstructorCard>
      ))}
    </div>
  )
})

function Screen() {
  const { data, error, retry } = useQuery('GET /api/instructors')
  const connections = useConnections()
  const [filter, setFilter] = useState<InstructorFilter>(NO_FILTER)
  const looked = useDeferredValue(filter)
  const named = useMemo(() => data && filterInstructors(data, looked), [data, looked])
  // Instructors tell players their code, so the name search also accepts a code.
  const code = named?.length === 0 ? inviteCodeIn(looked.name) : undefined
  const byCode = useQuery('GET /api/instructors/by-invite/{inviteCode}', code ? { params: { inviteCode: code } } : false)
  const unknown = isNotFound(byCode.error)
  const some = code ? (byCode.data ? [byCode.data] : unknown ? [] : undefined) : named
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
      <InvitationCard connections={connections} />
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
        {some && `${some.length} found`}
      </p>
      {failed ? (
        <ErrorState title="The instructors did not load" error={errorMessage(failed.error)} retry={failed.retry} />
      ) : !some ? (
        <InstructorGridSkeleton />
      ) : data?.length === 0 && !code ? (
        <EmptyState title="Instructors Coming Soon">
          The first instructors are getting ready. In the meantime, upload your videos.
        </EmptyState>
      ) : some.length === 0 ? (
        <EmptyState
          title={code ? 'No instructor has this code' : 'No instructors found'}
          action={
            <Button variant="secondary" onClick={() => setFilter(NO_FILTER)}>
              Show everyone
            </Button>
          }
        >
          {code ? 'Check it against the one your instructor sent you, or ask for a new one.' : 'Try another name, sport or skill.'}
        </EmptyState>
      ) : (
        <InstructorGrid instructors={some} connections={connections} invite={code} />
      )}
    </div>
  )
}

/** The page where a player finds and connects with an instructor. */
export default function ConnectInstructor() {
  return <Protected role="player">{() => <Screen />}</Protected>
}
