import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ConnectAndFollowButtons } from '../../src/instructors/ConnectAndFollowButtons.tsx'
import type { ConnectedAndFollowedInstructors } from '../../src/instructors/connect-and-follow-instructors.ts'
import { InstructorNotOpenNotice } from '../../src/instructors/InstructorNotOpenNotice.tsx'

const user = { firstName: 'Ray', lastName: 'Delgado', profileSlug: null }
const renderButtons = (connected: boolean) =>
  renderToString(
    <ConnectAndFollowButtons
      id="ray"
      name="Ray Delgado"
      connections={{ connected: () => connected, followed: () => false } as unknown as ConnectedAndFollowedInstructors}
    />,
  )

test('a player can disconnect from an instructor', () => {
  expect(renderButtons(true)).toContain('aria-label="Disconnect from Ray Delgado"')
  expect(renderButtons(false)).not.toContain('Disconnect')
})

test('a player can remove an instructor who takes no folders', () => {
  expect(renderToString(<InstructorNotOpenNotice instructor={{ id: 'ray', user, standing: 'closed' }} />)).toContain('Remove')
  expect(renderToString(<InstructorNotOpenNotice instructor={{ id: 'ray', user, standing: 'invited' }} />)).not.toContain('Remove')
})
