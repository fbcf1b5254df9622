import { useDeferredValue } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { Profile } from '../../modules/instructors/contract.ts'
import { instructorTitleForSports, skillName } from '../instructors/sport-and-skill-labels.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import type { ProfileFormValues } from './profile-form-values-type.ts'

/** A preview of how players will see an instructor's profile, updated while the form is filled in. */
export function ProfilePreview({ profile, control }: { profile: Profile; control: Control<ProfileFormValues> }) {
  const [type, skills, about, experience] = useDeferredValue(useWatch({ control, name: ['type', 'skills', 'about', 'experience'] }))
  const name = `${profile.user.firstName} ${profile.user.lastName}`
  return (
    <aside aria-label="Preview" className="lg:sticky lg:top-24">
      <p className="mb-2 text-14 font-medium text-ink-2">This is how players see you</p>
      <Card>
        <Avatar name={name} picture={profile.profilePicture} instructor={profile.id} size="xl" />
        <h2 className="mt-4 text-22 wrap-anywhere">{name}</h2>
        <p className="text-ink-2">{type.length ? instructorTitleForSports(type) : 'Instructor'}</p>
        <div className="mt-3 flex flex-wrap gap-1.5">
          {skills.map(skill => (
            <Badge key={skill} tone="field">
              {skillName(skill)}
            </Badge>
          ))}
        </div>
        {about && <p className="mt-4 text-14 wrap-anywhere whitespace-pre-line">{about}</p>}
        {experience && (
          <>
            <h3 className="mt-4 text-14">Experience</h3>
            <p className="text-14 wrap-anywhere whitespace-pre-line">{experience}</p>
          </>
        )}
      </Card>
    </aside>
  )
}
