import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import type { FamilyData } from '../../family/RequireGuardianLogin.tsx'
import { GoalCards } from '../../progress/GoalCards.tsx'
import { GradeCard } from '../../progress/GradeCard.tsx'
import { gradedSkills } from '../../progress/progress-series.ts'
import { capitalize } from '../../ui/capitalize.ts'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** A child's goals and grades over all sessions. Renders nothing before the first feedback. */
export function ChildProgress({ child }: { child: FamilyData['children'][number] }) {
  const { data, error, retry } = useQuery('GET /api/family/children/{child}/progress', { params: { child: child.id } })
  if (error && !data) return <ErrorState title="The progress did not load" error={errorMessage(error)} retry={retry} />
  if (!data) return <Skeleton className="h-48" />
  if (!data.sessions.length) return null
  return (
    <>
      {data.goals.length > 0 && <GoalCards goals={data.goals} viewer="family" />}
      {gradedSkills(data).map(skill => (
        <section key={skill} aria-labelledby={`skill-${skill}`}>
          <h2 id={`skill-${skill}`} className="mb-3 text-22">
            {capitalize(skill)}
          </h2>
          <GradeCard sessions={data.sessions} skill={skill} viewer="family" />
        </section>
      ))}
    </>
  )
}
