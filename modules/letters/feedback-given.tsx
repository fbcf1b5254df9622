import type { Review } from '../folders/contract.ts'
import { countWithNoun } from '../words.ts'
import { type Letter, LinkButton, Paragraph, QuotedText, type Sender, sessionLink, Title } from './layout.tsx'

const clock = (milliseconds: number) => {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** What a letter tells of a review. */
export type DeliveredReview = Pick<Review, 'summary' | 'notes' | 'grades' | 'goals' | 'voices' | 'comparisons'>
type Note = DeliveredReview['notes'][number]

const named = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** '1:01, drill: Let it travel. https://… (with a drawing)' */
function line({ at, kind, text, link, shapes, voice }: Note) {
  const more = [shapes?.length && 'a drawing', voice !== undefined && 'a voice-over'].filter(Boolean).join(' and ')
  const said = [text, link].filter(Boolean).join(' ')
  return `${clock(at)}, ${kind}: ${said && more ? `${said} (with ${more})` : said || more}`
}

/** All that is written in a review, for a reader who cannot open the folder; and what else there is. */
function Whole({ review, player }: { review: DeliveredReview; player: string }) {
  const { notes, grades, goals = [], voices = [], comparisons = [] } = review
  const drawn = [...notes, ...voices, ...comparisons.flatMap(c => c.sides)].flatMap(of => of.shapes ?? [])
  const labels = drawn.flatMap(shape => shape.text ?? [])
  const seen = [
    drawn.length && countWithNoun(drawn.length, 'drawing'),
    voices.length && countWithNoun(voices.length, 'voice-over'),
    comparisons.length && countWithNoun(comparisons.length, 'comparison'),
  ].filter(Boolean)
  return (
    <>
      {notes.map(note => (
        <QuotedText key={note.id}>{line(note)}</QuotedText>
      ))}
      {grades.length > 0 && <Paragraph>Grades: {grades.map(g => `${named(g.skill)} ${g.grade}`).join(', ')}.</Paragraph>}
      {goals.length > 0 && <QuotedText>{`To work on:\n${goals.map(g => `${g.text} (${g.state})`).join('\n')}`}</QuotedText>}
      {labels.length > 0 && <QuotedText>{`On the picture:\n${labels.join('\n')}`}</QuotedText>}
      {comparisons.some(c => c.title) && <QuotedText>{`Compared:\n${comparisons.flatMap(c => c.title || []).join('\n')}`}</QuotedText>}
      {seen.length > 0 && (
        <Paragraph>
          A letter cannot show the rest: {seen.join(', ')}. {player} has them in the folder, and you can ask us for them.
        </Paragraph>
      )}
    </>
  )
}

/** To the player: the feedback is here. `whole` where the reader cannot open the folder. */
export const feedbackGiven = (
  p: { player: string; instructor: string; folder: string; folderId: string; session: string; review: DeliveredReview; whole?: boolean },
  { origin }: Sender,
): Letter => ({
  subject: `${p.instructor} reviewed your folder`,
  preview: p.review.summary.slice(0, 120),
  body: (
    <>
      <Title>Your feedback is here</Title>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        {p.instructor} went through "{p.folder}"
        {p.review.notes.length > 0 && ` and left ${countWithNoun(p.review.notes.length, 'note')} on your reps`}. In short:
      </Paragraph>
      <QuotedText>{p.review.summary}</QuotedText>
      {p.whole && <Whole review={p.review} player={p.player} />}
      <LinkButton href={sessionLink(origin, 'player', p)}>Watch it with the notes</LinkButton>
      <Paragraph>Not sure what a note means? You can ask one question about this feedback, free of charge.</Paragraph>
    </>
  ),
})
