import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { OwnVettingStatus } from '../../modules/instructors/contract.ts'
import { InstructorInviteLinkCard } from '../../src/instructors/InstructorInviteLinkCard.tsx'
import { EmptyQueue } from '../../src/islands/queue/EmptyQueue.tsx'

const renderInviteCard = (status: OwnVettingStatus['status'], leaving: { deletionDue?: string } = {}) =>
  renderToString(<InstructorInviteLinkCard profile={{ vetting: { status, reason: null, emailConfirmed: true }, ...leaving }} />)

test.each(['suspended', 'declined'] as const)('an instructor who is %s reads that the invite link does not work', status => {
  expect(renderInviteCard(status)).toContain('Your invite link does not work right now')
})

test('approved and pending instructors are asked to invite their players', () => {
  for (const status of ['approved', 'pending'] as const) expect(renderInviteCard(status)).toContain('Players who register with your link')
})

test('an empty queue offers the invite link only while it works', () => {
  expect(renderToString(<EmptyQueue slug={null} isClosed={false} />)).toContain('Copy invite link')
  expect(renderToString(<EmptyQueue slug={null} isClosed />)).not.toContain('invite link')
})

test('an instructor whose account will be deleted is not asked to invite players', () => {
  expect(renderInviteCard('approved', { deletionDue: '2026-12-14T10:00:00.000Z' })).toContain('Your invite link does not work right now')
})
