import { countWithNoun } from '../words.ts'
import { type Letter, LinkButton, Paragraph, QuotedText, Title } from './layout.tsx'
import { type DeliveredReview, ReviewText } from './review-text.tsx'

/** What passed between a child and an instructor, as their guardian reads of it. `url` signs in and opens the session. */
interface Passed {
  guardian: string
  player: string
  instructor: string
  folder: string
  url: string
}

/** To the guardian: a folder went to an instructor, with what the child wrote. */
export const guardianAssigned = (p: Passed & { videos: number; message: string | null }): Letter => ({
  subject: `${p.player} sent ${p.instructor} a folder`,
  preview: p.message?.slice(0, 120) || `${countWithNoun(p.videos, 'video')}, and no message.`,
  body: (
    <>
      <Title>
        {p.player} wrote to {p.instructor}
      </Title>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        {p.player} sent {p.instructor} the folder "{p.folder}" with {countWithNoun(p.videos, 'video')} for feedback
        {p.message ? ', and wrote:' : ', without a message.'}
      </Paragraph>
      {p.message && <QuotedText>{p.message}</QuotedText>}
      <LinkButton href={p.url}>Open the session</LinkButton>
    </>
  ),
})

/** To the guardian: the instructor hands the folder back, and why. */
export const guardianDeclined = (p: Passed & { reason: string }): Letter => ({
  subject: `${p.instructor} handed ${p.player}'s folder back`,
  preview: 'Nothing was charged.',
  body: (
    <>
      <Title>
        {p.instructor} wrote to {p.player}
      </Title>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        The folder "{p.folder}" came back to {p.player} without feedback. Nothing was charged. The reason that {p.player} reads:
      </Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <LinkButton href={p.url}>Open the folder</LinkButton>
    </>
  ),
})

/** To the guardian: the whole feedback. */
export const guardianFeedback = (p: Passed & { review: DeliveredReview }): Letter => ({
  subject: `${p.instructor} gave ${p.player} feedback`,
  preview: p.review.summary.slice(0, 120),
  body: (
    <>
      <Title>
        {p.instructor} wrote to {p.player}
      </Title>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        {p.instructor} reviewed {p.player}'s folder "{p.folder}"
        {p.review.notes.length > 0 && ` and left ${countWithNoun(p.review.notes.length, 'note')}`}. This is all that {p.player} reads:
      </Paragraph>
      <QuotedText>{p.review.summary}</QuotedText>
      <ReviewText review={p.review} />
      <LinkButton href={p.url}>Watch it with the notes</LinkButton>
    </>
  ),
})

/** To the guardian: the child's question about the feedback. */
export const guardianQuestion = (p: Passed & { question: string }): Letter => ({
  subject: `${p.player} asked ${p.instructor} a question`,
  preview: p.question.slice(0, 120),
  body: (
    <>
      <Title>
        {p.player} wrote to {p.instructor}
      </Title>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        {p.player} has read the feedback on "{p.folder}" and asks {p.instructor}:
      </Paragraph>
      <QuotedText>{p.question}</QuotedText>
      <LinkButton href={p.url}>Open the session</LinkButton>
    </>
  ),
})

/** To the guardian: the instructor's answer. */
export const guardianAnswer = (p: Passed & { question: string; answer: string }): Letter => ({
  subject: `${p.instructor} answered ${p.player}'s question`,
  preview: p.answer.slice(0, 120),
  body: (
    <>
      <Title>
        {p.instructor} wrote to {p.player}
      </Title>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        {p.player} asked about "{p.folder}":
      </Paragraph>
      <QuotedText>{p.question}</QuotedText>
      <Paragraph>{p.instructor} answered:</Paragraph>
      <QuotedText>{p.answer}</QuotedText>
      <LinkButton href={p.url}>Open the session</LinkButton>
    </>
  ),
})
