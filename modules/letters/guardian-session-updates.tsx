import type { ReactNode } from 'react'
import { countWithNoun } from '../format-cents-and-counts.ts'
import { AUTOMATIC_CHARGE_NOTICE } from '../payments/policy.ts'
import { billDueDateSentence, instructorChecksSentence } from './guardian-money.tsx'
import {
  BillTable,
  formatLetterMoney,
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  QuotedText,
  type SenderDetails,
  truncateForPreview,
} from './letter-components.tsx'
import { type LetterReview, ReviewTextWithoutSummary } from './review-text-without-summary.tsx'
import type { LetterRating } from './session-rated-and-rating-answered.tsx'

/** The data in every letter that tells a guardian about a session. `url` signs in and opens the session. */
interface GuardianSessionUpdate {
  guardian: string
  player: string
  instructor: string
  folder: string
  url: string
}

/**
 * Creates a letter about what the player or the instructor wrote, which `content` quotes. `checks`: the sentence about our checks of the
 * instructor, only in letters that introduce the instructor.
 */
const letterAbout = (
  { guardian, player, instructor, url }: GuardianSessionUpdate,
  {
    writer,
    button = 'Open the session',
    checks,
    ...heads
  }: Pick<LetterContent, 'subject' | 'preview'> & { writer: 'player' | 'instructor'; button?: string; checks?: string | null },
  content: ReactNode,
): LetterContent => ({
  ...heads,
  body: (
    <>
      <LetterTitle>
        {writer === 'player' ? player : instructor} wrote to {writer === 'player' ? instructor : player}
      </LetterTitle>
      <Paragraph>Hi {guardian},</Paragraph>
      {content}
      {checks && (
        <Paragraph>
          {instructor}. {checks}
        </Paragraph>
      )}
      <LetterButton href={url}>{button}</LetterButton>
    </>
  ),
})

/** The estimate and the maximum for a session, in cents without a tip. `withinLimit`: the monthly limit covered it without an approval. */
export interface AgreedCost {
  total: number
  atMost: number
  withinLimit: boolean
}

/** To the guardian: a folder was assigned, with the child's message. `cost`: null unless this guardian has agreed to pay. */
export const guardianFolderAssignedLetter = (
  p: GuardianSessionUpdate & { videos: number; message: string | null; cost: AgreedCost | null; checks: string | null },
  sender: Pick<SenderDetails, 'name'>,
): LetterContent =>
  letterAbout(
    p,
    {
      writer: 'player',
      checks: instructorChecksSentence(p.checks, sender),
      subject: `${p.player} sent ${p.instructor} a folder${p.cost ? `: ${formatLetterMoney(p.cost.total)}` : ''}`,
      preview: truncateForPreview(p.message ?? '') || `${countWithNoun(p.videos, 'video')}, no message.`,
    },
    <>
      <Paragraph>
        {p.player} sent {p.instructor} the folder "{p.folder}" with {countWithNoun(p.videos, 'video')} for feedback
        {p.message ? ', and wrote:' : ', without a message.'}
      </Paragraph>
      {p.message && <QuotedText>{p.message}</QuotedText>}
      {p.cost && (
        <Paragraph>
          The estimate is {formatLetterMoney(p.cost.total)},{' '}
          {p.cost.withinLimit ? 'within the monthly limit that you set' : 'as you approved'}. You pay only after the feedback, and never
          more than {formatLetterMoney(p.cost.atMost)} before a tip. {AUTOMATIC_CHARGE_NOTICE}
        </Paragraph>
      )}
    </>,
  )

/** To the guardian: the instructor has declined the folder, with the reason. */
export const guardianFolderDeclinedLetter = (p: GuardianSessionUpdate & { reason: string }): LetterContent =>
  letterAbout(
    p,
    {
      writer: 'instructor',
      button: 'Open the folder',
      subject: `${p.instructor} returned ${p.player}'s folder`,
      preview: 'Nothing was charged.',
    },
    <>
      <Paragraph>
        The folder "{p.folder}" was returned to {p.player} without feedback. Nothing was charged. The reason {p.player} sees:
      </Paragraph>
      <QuotedText>{p.reason}</QuotedText>
    </>,
  )

/** To the guardian: we returned the folder, for example because we suspended the instructor. `reason` is our text. */
export const guardianFolderReturnedByUsLetter = (p: GuardianSessionUpdate & { reason: string }): LetterContent => ({
  subject: `${p.player}'s folder came back from ${p.instructor}`,
  preview: 'Nothing was charged.',
  body: (
    <>
      <LetterTitle>{p.player}'s folder was returned</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        The folder "{p.folder}", which was with {p.instructor}, was returned to {p.player} without feedback. Nothing was charged. {p.player}{' '}
        can send it to another instructor.
      </Paragraph>
      <Paragraph>
        {p.player} sees this reason from us: “{p.reason}”
      </Paragraph>
      <LetterButton href={p.url}>Open the folder</LetterButton>
    </>
  ),
})

/** The bill for the feedback; `card` is the one that will be charged, or null if none is saved. */
export interface FeedbackBill {
  items: { label: string; cents: number }[]
  total: number
  due: string
  timeZone: string
  card: string | null
}

/** To the guardian: the whole feedback and its bill. `bill` is null if somebody else pays or if it has been paid. */
export const guardianFeedbackLetter = (
  p: GuardianSessionUpdate & { review: LetterReview; videoIds: string[]; bill: FeedbackBill | null; checks: string | null },
  sender: Pick<SenderDetails, 'name'>,
): LetterContent =>
  letterAbout(
    p,
    {
      writer: 'instructor',
      button: 'Watch it with the notes',
      checks: instructorChecksSentence(p.checks, sender),
      subject: `${p.instructor} gave ${p.player} feedback${p.bill ? `: ${formatLetterMoney(p.bill.total)}` : ''}`,
      preview: truncateForPreview(p.review.summary),
    },
    <>
      <Paragraph>
        {p.instructor} reviewed {p.player}'s folder "{p.folder}"
        {p.review.notes.length > 0 && ` and left ${countWithNoun(p.review.notes.length, 'note')}`}. Here is everything {p.player} sees:
      </Paragraph>
      <QuotedText>{p.review.summary}</QuotedText>
      <ReviewTextWithoutSummary review={p.review} videoIds={p.videoIds} />
      {p.bill && (
        <>
          <Paragraph>What it costs:</Paragraph>
          <BillTable lines={[...p.bill.items, { label: 'Total', cents: p.bill.total }]} />
          <Paragraph>{billDueDateSentence(p.bill)} Press “Pay the bill” on the same page to pay now, with a tip if you like.</Paragraph>
        </>
      )}
    </>,
  )

/** To the guardian: the child's question about the feedback. */
export const guardianQuestionAskedLetter = (p: GuardianSessionUpdate & { question: string }): LetterContent =>
  letterAbout(
    p,
    { writer: 'player', subject: `${p.player} asked ${p.instructor} a question`, preview: truncateForPreview(p.question) },
    <>
      <Paragraph>
        {p.player} has read the feedback on "{p.folder}" and asks {p.instructor}:
      </Paragraph>
      <QuotedText>{p.question}</QuotedText>
    </>,
  )

/** To the guardian: the instructor's answer. */
export const guardianQuestionAnsweredLetter = (p: GuardianSessionUpdate & { question: string; answer: string }): LetterContent =>
  letterAbout(
    p,
    { writer: 'instructor', subject: `${p.instructor} answered ${p.player}'s question`, preview: truncateForPreview(p.answer) },
    <>
      <Paragraph>
        {p.player} asked about "{p.folder}":
      </Paragraph>
      <QuotedText>{p.question}</QuotedText>
      <Paragraph>{p.instructor} answered:</Paragraph>
      <QuotedText>{p.answer}</QuotedText>
    </>,
  )

/** To the guardian: the child's rating of a session. */
export const guardianSessionRatedLetter = (p: GuardianSessionUpdate & { rating: LetterRating }): LetterContent => {
  const { stars, comment } = p.rating
  return letterAbout(
    p,
    {
      writer: 'player',
      subject: `${p.player} rated ${p.instructor}'s feedback ${stars} out of 5`,
      preview: truncateForPreview(comment ?? '') || 'No comment.',
    },
    <>
      <Paragraph>
        {p.player} rated the feedback on "{p.folder}" {stars} out of 5 stars{comment ? ' and wrote:' : ', without a comment.'}
      </Paragraph>
      {comment && <QuotedText>{comment}</QuotedText>}
    </>,
  )
}

/** To the guardian: the instructor's answer to the rating of a child's session. */
export const guardianRatingAnsweredLetter = (p: GuardianSessionUpdate & { answer: string }): LetterContent =>
  letterAbout(
    p,
    {
      writer: 'instructor',
      subject: `${p.instructor} replied to the rating of ${p.player}'s session`,
      preview: truncateForPreview(p.answer),
    },
    <>
      <Paragraph>
        {p.instructor} replied to the rating of "{p.folder}":
      </Paragraph>
      <QuotedText>{p.answer}</QuotedText>
    </>,
  )
