import { expect, test } from 'vitest'
import * as accounts from '../../modules/accounts/policy.ts'
import * as folders from '../../modules/folders/policy.ts'
import * as instructors from '../../modules/instructors/policy.ts'
import * as media from '../../modules/media/policy.ts'
import * as payments from '../../modules/payments/policy.ts'
import * as reviews from '../../modules/reviews/policy.ts'
import * as rewards from '../../modules/rewards/policy.ts'

/** Limits, prices and periods promised to people or decided by the site's owner. To change one on purpose, change it here, too. */
test.each<[string, object, object]>([
  [
    'accounts',
    accounts,
    {
      MIN_PLAYER_AGE: 13,
      ADULT_AGE: 18,
      MIN_PASSWORD_LENGTH: 8,
      LOGIN_SESSION_DAYS: 30,
      KNOWN_DEVICE_DAYS: 90,
      MAX_KNOWN_DEVICES_PER_ACCOUNT: 20,
      EMAILED_LINK_MINUTES: {
        'reset-password': 60,
        guardian: 43_200,
        'confirm-email': 10_080,
        'admin-setup': 1440,
        'admin-invitation': 10_080,
      },
    },
  ],
  [
    'folders',
    folders,
    {
      MAX_VIDEOS_PER_SESSION: 3,
      MAX_VIDEO_BYTES: 524_288_000,
      VIDEO_TYPES: ['video/mp4', 'video/quicktime', 'video/webm'],
      TYPICAL_FEEDBACK_HOURS_RANGE: [24, 48],
      MAX_FOLDER_NAME_LENGTH: 80,
      MAX_NOTES_PER_REVIEW: 60,
      MAX_SESSION_TEXT_LENGTH: 4000,
    },
  ],
  ['instructors', instructors, { FEATURED_DAYS_WHEN_REFERRED: 30, INVITE_CODE_LENGTH: 8 }],
  [
    'media',
    media,
    {
      MAX_SINGLE_UPLOAD_BYTES: 26_214_400,
      UPLOAD_PART_BYTES: 8_388_608,
      UNFINISHED_UPLOAD_HOURS: 24,
      MAX_DECLARED_VIDEO_HOURS: 12,
      MAX_UPLOADED_POSTER_BYTES: 300_000,
      RENDITION_SHORTER_SIDE_PX: 720,
      MAX_FRAMES_PER_KEYFRAME: 12,
      MAX_VIDEO_MINUTES: 30,
      MAX_PREPARATION_CRASHES: 5,
    },
  ],
  // A signed playback URL is valid for at most half an hour.
  ['media', { seconds: 2 * media.PLAYBACK_URL_REUSE_SECONDS, put: media.TRANSFER_URL_SECONDS }, { seconds: 1800, put: 3600 }],
  [
    'payments',
    payments,
    {
      BASE_PRICE_CENTS: 1500,
      FEE_PER_VIDEO_CENTS: 50,
      FEE_PER_STARTED_VIDEO_SIZE_STEP_CENTS: 50,
      FEE_SIZE_STEP_BYTES: 104_857_600,
      FREE_VIDEO_BYTES_PER_SESSION: 104_857_600,
      FEE_PER_EXTRA_NOTE_CENTS: 25,
      NOTES_INCLUDED_IN_BASE_PRICE: 5,
      MAX_MEDIA_SERVICE_FEE_CENTS: 1000,
      INSTRUCTOR_PERCENT: 80,
      TIP_PERCENTS: [15, 20, 25],
      MAX_TIP_CENTS: 20_000,
      PAYMENT_REMINDER_DAYS: [1, 3],
      CHARGE_AFTER_DAYS: 7,
      CHARGE_NOTICE_DAYS: 1,
      LAST_CARD_REMOVAL_BLOCK_MINUTES: 10,
      REFERRAL_DISCOUNT_PERCENT: 10,
      CENTS_PER_POINT: 1,
      MAX_POINTS_PERCENT: 50,
      MIN_CHARGE_CENTS: 50,
      PACKAGES: {
        single: { label: 'Single session', folders: 1, cents: 1500 },
        triple: { label: 'Triple', folders: 3, cents: 4200 },
        season: { label: 'Season', folders: 10, cents: 13_000 },
      },
    },
  ],
  [
    'reviews',
    reviews,
    {
      PICTURE_SIDE_UNITS: 10_000,
      INK_NAMES: ['clay', 'gold', 'sky', 'chalk', 'field', 'red'],
      MAX_VOICE_MS: 300_000,
      TECHNIQUE_POSITIONS_BY_SKILL: {
        hitting: ['stance', 'load', 'stride', 'contact', 'follow-through'],
        pitching: ['wind-up', 'leg lift', 'stride', 'release', 'finish'],
        fielding: ['ready', 'approach', 'field', 'transfer', 'throw'],
        catching: ['setup', 'receive', 'transfer', 'throw'],
      },
    },
  ],
  ['rewards', rewards, { REFERRAL_POINTS: 150, DISCOUNT_RESERVATION_MINUTES: 60 }],
])('the policies of %s have the specified values', (_, policy, figures) => {
  expect(policy).toMatchObject(figures)
})
