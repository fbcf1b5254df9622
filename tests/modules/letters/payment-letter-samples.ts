import { failedPaymentLetter } from '../../../modules/letters/failed-payment.tsx'
import { heldInstructorShareLetter } from '../../../modules/letters/held-instructor-share.tsx'
import { packageReceiptLetter } from '../../../modules/letters/package-receipt.tsx'
import { packageRefundLetter } from '../../../modules/letters/package-refund.tsx'
import { paymentDueLetter } from '../../../modules/letters/payment-due.tsx'
import { paymentReceiptLetter } from '../../../modules/letters/payment-receipt.tsx'
import { paymentRefundLetter } from '../../../modules/letters/payment-refund.tsx'
import { paymentReminderLetter } from '../../../modules/letters/payment-reminder.tsx'
import { upcomingChargeLetter } from '../../../modules/letters/upcoming-charge.tsx'
import {
  type LetterSamples,
  sampleBillItems,
  sampleCardName,
  sampleDueDate,
  sampleSender,
  sampleSessionProps,
} from './letter-sample-data.ts'

/** Letters about bills, packages, refunds and shares. */
export const paymentLetterSamples: LetterSamples = {
  'payment-due': {
    letter: paymentDueLetter(
      { ...sampleSessionProps, items: sampleBillItems, total: 1450, due: sampleDueDate, card: sampleCardName },
      sampleSender,
    ),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'payment-reminder': {
    letter: paymentReminderLetter({ ...sampleSessionProps, total: 1450, due: sampleDueDate, card: sampleCardName }, sampleSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'charge-coming': {
    letter: upcomingChargeLetter({ ...sampleSessionProps, total: 1450, due: sampleDueDate, card: sampleCardName }, sampleSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'charge-coming, without a card': {
    letter: upcomingChargeLetter({ ...sampleSessionProps, total: 1450, due: sampleDueDate, card: null }, sampleSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  receipt: {
    letter: paymentReceiptLetter(
      {
        ...sampleSessionProps,
        number: 'DL-260301-0A1B2C3D',
        items: sampleBillItems,
        tip: 300,
        paid: 1750,
        at: sampleDueDate,
        card: sampleCardName,
      },
      sampleSender,
    ),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  "receipt, on New Year's Eve": {
    letter: paymentReceiptLetter(
      {
        ...sampleSessionProps,
        number: 'DL-261231-0A1B2C3D',
        items: sampleBillItems,
        tip: 0,
        paid: 1450,
        at: '2027-01-01T03:00:00.000Z',
        card: sampleCardName,
      },
      sampleSender,
    ),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'package-receipt': {
    letter: packageReceiptLetter(
      {
        player: 'Ana',
        label: 'Triple',
        folders: 3,
        paid: 4200,
        at: sampleDueDate,
        timeZone: 'America/New_York',
        card: sampleCardName,
        number: 'DL-260308-0A1B2C3D',
        purchase: 'b-1',
      },
      sampleSender,
    ),
    leadsTo: '/player/payment?receipt=b-1',
  },
  'package-refunded': {
    letter: packageRefundLetter(
      { player: 'Ana', label: 'Triple', amount: 1400, card: null, reason: 'The season is over.', left: 1 },
      sampleSender,
    ),
    leadsTo: '/player/payment',
  },
  'payment-failed': {
    letter: failedPaymentLetter(
      { ...sampleSessionProps, amount: 1450, card: sampleCardName, why: 'This card has expired. Pay with another card.', by: 'schedule' },
      sampleSender,
    ),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  refunded: {
    letter: paymentRefundLetter(
      { ...sampleSessionProps, amount: 1450, card: sampleCardName, reason: 'The wrong folder was reviewed.' },
      sampleSender,
    ),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'share-held': {
    letter: heldInstructorShareLetter(
      { ...sampleSessionProps, instructor: 'Kim', share: 1500, waiting: 1500, started: false },
      sampleSender,
    ),
    leadsTo: '/instructor/payments',
  },
  'share-held, after another': {
    letter: heldInstructorShareLetter(
      { ...sampleSessionProps, instructor: 'Kim', share: 1500, waiting: 2700, started: true },
      sampleSender,
    ),
    leadsTo: '/instructor/payments',
  },
  'share-held, while Stripe checks': {
    letter: heldInstructorShareLetter(
      { ...sampleSessionProps, instructor: 'Kim', share: 1500, waiting: 1500, started: true, checking: true },
      sampleSender,
    ),
    leadsTo: '/instructor/payments',
  },
}
