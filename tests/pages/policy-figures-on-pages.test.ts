import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ADULT_AGE, EMAILED_LINK_MINUTES, KNOWN_DEVICE_DAYS, LOGIN_SESSION_DAYS, MIN_PLAYER_AGE } from '../../modules/accounts/policy.ts'
import {
  MAX_NOTES_PER_REVIEW,
  MAX_VIDEO_BYTES,
  MAX_VIDEOS_PER_SESSION,
  TYPICAL_FEEDBACK_HOURS_RANGE,
} from '../../modules/folders/policy.ts'
import { FEATURED_DAYS_WHEN_REFERRED } from '../../modules/instructors/policy.ts'
import {
  MAX_PIXELS_IN_ALL_FRAMES,
  MAX_VIDEO_MINUTES,
  PLAYBACK_URL_REUSE_SECONDS,
  REVIEW_VIDEO_DAYS,
  UNFINISHED_UPLOAD_HOURS,
} from '../../modules/media/policy.ts'
import * as money from '../../modules/payments/policy.ts'
import * as privacy from '../../modules/privacy/policy.ts'
import { MIN_RATINGS_TO_SHOW } from '../../modules/ratings/policy.ts'
import { REVIEW_LINK_DAYS } from '../../modules/sharing/policy.ts'
import { CHECK_EXPIRY_NOTICE_DAYS } from '../../modules/vetting/policy.ts'
import { expect, test } from '../support/signed-in-fixtures.ts'

// These tests check the built pages, a profile and their sources.
const root = join(import.meta.dirname, '../..')
const words = (html: string) => html.replace(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
const mb = (bytes: number) => `${bytes / 1024 / 1024} MB`
const least = dollars(money.BASE_PRICE_CENTS + money.FEE_PER_VIDEO_CENTS)
const hours = `${TYPICAL_FEEDBACK_HOURS_RANGE.join('–')} hours`

const expectedTextsByPage = {
  pricing: [
    `Each ${mb(money.FEE_SIZE_STEP_BYTES)} or part of it past the first ${mb(money.FREE_VIDEO_BYTES_PER_SESSION)}`,
    `× ${mb(money.FEE_SIZE_STEP_BYTES)} over the first ${mb(money.FREE_VIDEO_BYTES_PER_SESSION)}`,
    `notes past the first ${money.NOTES_INCLUDED_IN_BASE_PRICE}, and never past the cap`,
    `charged after ${money.CHARGE_AFTER_DAYS} days`,
    `never more than ${dollars(money.BASE_PRICE_CENTS + money.MAX_MEDIA_SERVICE_FEE_CENTS)}`,
  ],
  faq: [
    `Typically ${hours}`,
    `Up to ${MAX_VIDEOS_PER_SESSION} videos a session, each up to ${MAX_VIDEO_BYTES / 1024 / 1024}MB`,
    `${Math.floor(MAX_PIXELS_IN_ALL_FRAMES / (1920 * 1080 * 60 * 60))} minutes in 1080p`,
    `never more than ${MAX_VIDEO_MINUTES} minutes`,
    `charge the card after ${money.CHARGE_AFTER_DAYS} days`,
    `At least ${MIN_PLAYER_AGE}. Under ${ADULT_AGE} you need`,
    `${money.REFERRAL_DISCOUNT_PERCENT}% off`,
  ],
  'privacy-policy': [
    `The minimum age is ${MIN_PLAYER_AGE}.`,
    `Players from ${MIN_PLAYER_AGE} to ${ADULT_AGE - 1}`,
    `For players under ${ADULT_AGE}:`,
    `Players under ${ADULT_AGE}`,
    `for a player under ${ADULT_AGE},`,
    `works for ${(2 * PLAYBACK_URL_REUSE_SECONDS) / 60} minutes at most`,
    `nobody finishes: ${UNFINISHED_UPLOAD_HOURS} hours`,
    `from a whole review: ${REVIEW_VIDEO_DAYS} days`,
    `at most ${privacy.UNASSIGNED_VIDEO_RETENTION_MONTHS} months. Your account page`,
    `the answer: ${privacy.SUPPORT_REQUEST_RETENTION_YEARS} years`,
    `at most ${privacy.LEAD_RETENTION_MONTHS} months`,
    `is deleted ${privacy.DELETION_GRACE_DAYS} days later`,
    `says no: ${privacy.ACCOUNT_DAYS_AFTER_REFUSAL} days after that answer`,
    `data that you asked for: ${privacy.DATA_EXPORT_DAYS} days`,
    `logged in from: ${KNOWN_DEVICE_DAYS} days after the last time`,
    `or for ${LOGIN_SESSION_DAYS} days without use`,
    `gone after ${privacy.KEY_BACKUP_RETENTION_DAYS} days`,
    `ends after ${REVIEW_LINK_DAYS} days`,
    `From ${MIN_RATINGS_TO_SHOW} ratings on`,
  ],
  'terms-of-service': [
    `at least ${MIN_PLAYER_AGE}. If you are under ${ADULT_AGE},`,
    `typically in ${hours}`,
    `after ${money.CHARGE_AFTER_DAYS} days`,
    `${money.INSTRUCTOR_PERCENT}% of the undiscounted base`,
  ],
  '': [
    `Up to ${MAX_VIDEOS_PER_SESSION} clips a session`,
    `${mb(MAX_VIDEO_BYTES)} each is fine`,
    `Typically in ${hours}`,
    `${hours} is how long`,
    `From ${least}`,
  ],
  invite: [`typically in ${hours}`],
  'for-parents': [
    `A player from ${MIN_PLAYER_AGE} to ${ADULT_AGE - 1}`,
    `a link that works for ${EMAILED_LINK_MINUTES.guardian / 24 / 60} days`,
    `${dollars(money.BASE_PRICE_CENTS)} a session, ${dollars(money.BASE_PRICE_CENTS + money.MAX_MEDIA_SERVICE_FEE_CENTS)} at most`,
    `charge your card after ${money.CHARGE_AFTER_DAYS} days`,
    `such as ${money.MONTHLY_LIMITS_CENTS.map(dollars).join(', ')}`,
    `typically in ${hours}`,
    `a new one ${CHECK_EXPIRY_NOTICE_DAYS} days before`,
    `is deleted ${privacy.DELETION_GRACE_DAYS} days later`,
    `keep it for ${privacy.DATA_EXPORT_DAYS} days`,
  ],
  'for-coaches': [
    `You earn ${dollars((money.BASE_PRICE_CENTS * money.INSTRUCTOR_PERCENT) / 100)} a session`,
    `${money.INSTRUCTOR_PERCENT}% of the base price of ${dollars(money.BASE_PRICE_CENTS)}`,
    `up to ${MAX_VIDEOS_PER_SESSION} videos`,
    `up to ${MAX_NOTES_PER_REVIEW} notes`,
    `${money.CHARGE_AFTER_DAYS} days after your feedback`,
    `until ${FEATURED_DAYS_WHEN_REFERRED} days after you registered`,
  ],
  guardian: [`never more than ${dollars(money.BASE_PRICE_CENTS + money.MAX_MEDIA_SERVICE_FEE_CENTS)}`],
}
for (const [page, sentences] of Object.entries(expectedTextsByPage)) {
  test(`/${page} shows the limits and prices from the policy.ts files`, async () => {
    const text = words(await readFile(join(root, 'dist/client', page, 'index.html'), 'utf8'))
    expect(sentences.filter(sentence => !text.includes(sentence))).toEqual([])
  })
}

test('/i/{slug} shows the limits and prices from the policy.ts files', async ({ member, request, app }) => {
  const { user } = await member('instructor')
  const text = words(await (await request.get(`${app.url}/i/${user.profileSlug}`)).text())
  for (const sentence of [`Upload up to ${MAX_VIDEOS_PER_SESSION} videos`, `From ${least}`]) expect(text).toContain(sentence)
})

/** Matches a limit, price or age from a `policy.ts` that is typed into a page as literal text. */
const TYPED_FIGURE =
  /\b(?:\d+|[Tt]hree|fifth) ?(?:MB|GB|videos|clips|notes|hours)\b|\bpast the (?:first \d|fifth)|\b(?:[Uu]nder|least|age is|from) 1\d\b|\d% (?:off|of)/g
test('no page has a limit or price from a policy.ts file as literal text', async () => {
  const files = [
    'pages/pricing',
    'pages/privacy-policy',
    'pages/terms-of-service',
    'pages/faq',
    'pages/for-parents',
    'pages/for-coaches',
    'pages/i/[slug]',
    'pages/_LandingPage',
    'pages/guardian/index',
    'pages/invite/index',
    'components/TopInstructors',
  ]
  const sources = [...files.map(file => `${file}.astro`), 'components/faq-questions.ts', 'site.ts']
  const found = await Promise.all(
    sources.map(
      async file => (await readFile(join(root, 'src', file), 'utf8')).match(TYPED_FIGURE)?.map(figure => `${file}: ${figure}`) ?? [],
    ),
  )
  expect(found.flat()).toEqual([])
})
