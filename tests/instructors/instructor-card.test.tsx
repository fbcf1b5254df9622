import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Instructor } from '../../modules/instructors/contract.ts'
import { InstructorCard } from '../../src/instructors/InstructorCard.tsx'

const instructor = {
  id: 'ray',
  user: { firstName: 'Ray', lastName: 'Delgado', profileSlug: 'ray-delgado' },
  type: ['baseball'],
  skills: [],
  checks: [],
  profilePicture: null,
  rating: null,
  responseHours: null,
  sessionsGiven: 0,
} as unknown as Instructor
const render = (hasProfile: boolean) =>
  renderToString(
    <InstructorCard instructor={instructor} hasProfile={hasProfile}>
      {null}
    </InstructorCard>,
  )

test('the name links to the profile only if the player may open it', () => {
  expect(render(true)).toContain('/player/select-instructor/ray-delgado')
  expect(render(false)).not.toContain('/player/select-instructor')
  expect(render(false)).toContain('Ray Delgado')
})
