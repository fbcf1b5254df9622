import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ApprovalRequestWithInstructorChecks } from '../../../modules/payments/contract.ts'
import { ApprovalRequestCard } from '../../../src/islands/family-money/ApprovalRequestCard.tsx'
import { ChildMoneySettings } from '../../../src/islands/family-money/ChildMoneySettings.tsx'

const approval: ApprovalRequestWithInstructorChecks = {
  ...{ id: 'a1', folder: 'f1', folderName: 'Fall bullpen', status: 'pending', message: null, videos: 1, reason: null, answered: null },
  ...{ asked: '2026-05-10T18:00:00.000Z', checks: [] },
  player: { id: 'p1', name: 'Leo Day', picture: null, slug: null },
  instructor: { id: 'i1', name: 'Jo Kim', picture: null, slug: null },
  quote: { items: [{ label: 'Feedback session', cents: 1500 }], total: 1550, atMost: 2500 },
}
const card = { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099, preferred: true }
const leo = { id: 'p1', firstName: 'Leo', monthly: 5000, spent: 0, credits: 0, cards: [] }

/** Renders a component and returns its text, without the markup. */
const textOf = (component: ReactNode) => renderToString(component).replaceAll(/<!-- -->|<[^>]*>/g, '')

test('a guardian who approves or sets a limit reads about the charge after 7 days', () => {
  const notice = 'If you have not paid within 7 days of the feedback, we will charge your saved card.'
  expect(textOf(<ApprovalRequestCard approval={approval} cards={[card]} saving={false} />)).toContain(notice)
  expect(textOf(<ChildMoneySettings child={leo} />)).toContain(notice)
})

test('a guardian who approves sees that a card has expired, and may add another', () => {
  const expired = { ...card, expMonth: 10, expYear: 2020 }
  const text = textOf(<ApprovalRequestCard approval={approval} cards={[expired]} saving={false} />)
  expect(text).toMatch(/Expired Oct 2020.*Approve \$15\.50.*Add a card/)
  expect(textOf(<ApprovalRequestCard approval={approval} cards={[card]} saving={false} />)).not.toContain('Expired')
})

test('a guardian can open the folder of a request before approving it', () => {
  expect(renderToString(<ApprovalRequestCard approval={approval} cards={[card]} saving={false} />)).toContain('href="/family/folder/f1"')
  expect(textOf(<ApprovalRequestCard approval={approval} cards={[card]} saving={false} />)).toContain('“Fall bullpen”, 1 video, ')
})
