import type { ReactNode } from 'react'
import type { Instructor } from '../../modules/instructors/contract.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { CompletedChecksLine } from './CompletedChecksLine.tsx'
import { InstructorStatistics } from './InstructorStatistics.tsx'
import { instructorTitleForSports, skillName } from './sport-and-skill-labels.ts'

export const instructorName = ({ user }: Pick<Instructor, 'user'>) => `${user.firstName} ${user.lastName}`

/**
 * An instructor in a list: photo, name, sport, skills, checks and work statistics; `children` are the buttons. `hasProfile`: whether the
 * player may open the instructor's profile, to which the name then links.
 */
export const InstructorCard = ({
  instructor: i,
  hasProfile = true,
  children,
}: {
  instructor: Instructor
  hasProfile?: boolean
  children: ReactNode
}) => (
  <Card className="flex flex-col gap-4">
    <div className="flex items-center gap-4">
      <Avatar name={instructorName(i)} picture={i.profilePicture} instructor={i.id} size="lg" />
      <div className="min-w-0">
        <h2 className="text-18 wrap-anywhere">
          {hasProfile ? (
            <a
              href={`/player/select-instructor/${i.user.profileSlug ?? i.id}`}
              className="inline-flex min-h-11 items-center hover:underline"
            >
              {instructorName(i)}
            </a>
          ) : (
            instructorName(i)
          )}
        </h2>
        <p className="text-14 text-ink-2">{instructorTitleForSports(i.type)}</p>
      </div>
    </div>
    <div className="flex flex-wrap gap-1.5">
      {i.skills.map(skill => (
        <Badge key={skill} tone="field">
          {skillName(skill)}
        </Badge>
      ))}
    </div>
    <CompletedChecksLine checks={i.checks} />
    <InstructorStatistics instructor={i} />
    <div className="mt-auto">{children}</div>
  </Card>
)
