import type { Review } from '../folders/contract.ts'
import { counted } from '../words.ts'
import { Go, type House, type Letter, Say, sessionLink, Title, Words } from './frame.tsx'

const clock = (milliseconds: number) => {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** What a letter tells of a review. */
export type Told = Pick<Review, 'summary' | 'notes' | 'grades' | 'goals' | 'voices' | 'comparisons'>
type Note = Told['notes'][number]

const named = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** '1:01, drill: Let it travel. https://… (with a drawing)' */
function line({ at, kind, text, link, shapes, voice }: Note) {
  const more = [shapes?.length && 'a drawing', voice !== undefined && 'a voice-over'].filter(Boolean).join(' and ')
  const said = [text, link].filter(Boolean).join(' ')
  return `${clock(at)}, ${kind}: ${said && more ? `${said} (with ${more})` : said || more}`
}

/** All that is written in a review, for a reader who cannot open the folder; and what else there is. */
function Whole({ review, player }: { review: Told; player: string }) {
  const { notes, grades, goals = [], voices = [], comparisons = [] } = review
  const drawn = [...notes, ...voices, ...comparisons.flatMap(c => c.sides)].flatMap(of => of.shapes ?? [])
  const labels = drawn.flatMap(shape => shape.text ?? [])
  const seen = [
    drawn.length && counted(drawn.length, 'drawing'),
    voices.length && counted(voices.length, 'voice-over'),
    comparisons.length && counted(comparisons.length, 'comparison'),
  ].filter(Boolean)
  return (
    <>
      {notes.map(note => (
        <Words key={note.id}>{line(note)}</Words>
      ))}
      {grades.length > 0 && <Say>Grades: {grades.map(g => `${named(g.skill)} ${g.grade}`).join(', ')}.</Say>}
      {goals.length > 0 && <Words>{`To work on:\n${goals.map(g => `${g.text} (${g.state})`).join('\n')}`}</Words>}
      {labels.length > 0 && <Words>{`On the picture:\n${labels.join('\n')}`}</Words>}
      {comparisons.some(c => c.title) && <Words>{`Compared:\n${comparisons.flatMap(c => c.title || []).join('\n')}`}</Words>}
      {seen.length > 0 && (
        <Say>
          A letter cannot show the rest: {seen.join(', ')}. {player} has them in the folder, and you can ask us for them.
        </Say>
      )}
    </>
  )
}

/** To the player: the feedback is here. `whole` where the reader cannot open the folder. */
export const feedbackGiven = (
  p: { player: string; instructor: string; folder: string; folderId: string; session: string; review: Told; whole?: boolean },
  { origin }: House,
): Letter => ({
  subject: `${p.instructor} reviewed your folder`,
  preview: p.review.summary.slice(0, 120),
  body: (
    <>
      <Title>Your feedback is here</Title>
      <Say>Hi {p.player},</Say>
      <Say>
        {p.instructor} went through "{p.folder}"
        {p.review.notes.length > 0 && ` and left ${counted(p.review.notes.length, 'note')} on your reps`}. In short:
      </Say>
      <Words>{p.review.summary}</Words>
      {p.whole && <Whole review={p.review} player={p.player} />}
      <Go href={sessionLink(origin, 'player', p)}>Watch it with the notes</Go>
      <Say>Not sure what a note means? You can ask one question about this feedback, free of charge.</Say>
    </>
  ),
})
