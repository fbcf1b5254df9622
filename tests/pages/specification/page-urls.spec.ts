import type { Page } from '@playwright/test'
import { expect, test } from '../../support/signed-in-fixtures.ts'

const expectHeading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toHaveCount(1)

/** Public paths with their headings. */
const open: Record<string, string> = {
  '/': 'Your coach sees every swing',
  '/auth': 'Welcome back',
  '/pricing': 'Dynamic, Fair Pricing',
  '/privacy-policy': 'Privacy Policy',
  '/terms-of-service': 'Terms of Service',
  '/faq': 'Frequently Asked Questions',
  '/support': 'Support',
  '/forgot-password': 'Forgot your password?',
  '/forgot-email': 'Forgot your email?',
  '/reset-password': 'Choose a new password',
  '/confirm-email': 'Confirm your email',
  '/change-email': 'Confirm your new email',
  '/restore-email': 'Restore your email address',
  '/video-format-test': 'Will my video play?',
  '/video-format-test/x': 'Will my video play?',
  '/invite/ABCD2345': 'Your instructor wants you on DiamondLink',
  '/admin/register': 'Admin registration',
  '/admin/login': 'Admin login',
}
/** Screens of each role with their headings; `x` stands for an id that does not exist. */
const guarded = {
  player: {
    dashboard: 'Your folders',
    'connect-instructor': 'Connect with an instructor',
    'select-instructor/x': 'Instructor',
    'folder/x': 'Folder',
    payment: 'Buy Folders',
    rewards: 'Rewards',
    'video-test/x': 'Does it play?',
  },
  instructor: { dashboard: 'Your queue', 'folder/x': 'Review', 'profile-editor': 'Your profile', payments: 'Earnings' },
  admin: { dashboard: 'Overview', instructors: 'Instructors', 'support-management': 'Support requests' },
} as const

// @spec:2.28 @spec:6.6
test('every public address has a page with its own heading', async ({ page, member, as }) => {
  for (const [path, heading] of Object.entries(open)) {
    const answer = await page.goto(path)
    expect([path, answer!.status()]).toEqual([path, 200])
    await expectHeading(page, heading)
  }
  const { user, api } = await member('instructor')
  const { code } = await (await api.get('/api/invite')).json()
  await page.goto(`/invite/${code}`)
  await expectHeading(page, `${user.firstName} ${user.lastName} wants you on DiamondLink`)
  await page.goto(`/i/${user.profileSlug}`)
  await expectHeading(page, `${user.firstName} ${user.lastName}`)
  const instructor = await as('instructor')
  await instructor.goto('/fix-instructor-profile')
  await expectHeading(instructor, 'Finish your profile')
})

// @spec:2.27 @spec:2.36
test('any other address shows 404 Page Not Found', async ({ page }) => {
  for (const path of ['/no-such-page', '/admin/no-such-page', '/i/nobody-at-all', '/faq/more', '/player', '/mobile', '/landing-mobile']) {
    const answer = await page.goto(path)
    expect([path, answer!.status()]).toEqual([path, 404])
    await expectHeading(page, '404 Page Not Found')
  }
})

// @spec:2.34
test('each role can open all its screens, each with its own heading', { tag: '@sweep' }, async ({ as }) => {
  for (const [role, screens] of Object.entries(guarded)) {
    const page = await as(role as keyof typeof guarded)
    for (const [path, heading] of Object.entries(screens)) {
      await page.goto(`/${role}/${path}`)
      await expectHeading(page, heading)
      await expect(page.getByRole('main')).not.toBeEmpty()
      expect(new URL(page.url()).pathname).toBe(`/${role}/${path}`)
    }
  }
})
