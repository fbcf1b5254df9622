import type { Review } from '../folders/contract.ts'
import { countWithNoun } from '../format-cents-and-counts.ts'
import { TECHNIQUE_POSITIONS_BY_SKILL } from '../reviews/policy.ts'
import { Paragraph, QuotedText } from './letter-components.tsx'

const clock = (milliseconds: number) => {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export type LetterReview = Pick<Review, 'summary' | 'notes' | 'grades' | 'goals' | 'voices' | 'checkpoints' | 'comparisons'>
type Note = LetterReview['notes'][number]

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** '1:01, drill: Let it travel. https://… (with a drawing)' */
function noteLine({ at, kind, text, link, shapes, voice }: Note) {
  const more = [shapes?.length && 'a drawing', voice !== undefined && 'a voice-over'].filter(Boolean).join(' and ')
  const sentences = [text, link].filter(Boolean).join(' ')
  return `${clock(at)}, ${kind}: ${sentences && more ? `${sentences} (with ${more})` : sentences || more}`
}

/**
 * One line per skill of each video, with the positions in the order of the motion: 'Technique, hitting: load, contact.' `prefixOf`: what a
 * line about a video begins with.
 */
function techniqueLines(positions: NonNullable<LetterReview['checkpoints']>, prefixOf: (video: string) => string): string[] {
  const groups = Map.groupBy(positions, p => `${p.video} ${p.skill}`)
  return [...groups.values()].map(group => {
    const { skill, video } = group[0]!
    const title = prefixOf(video) ? `${prefixOf(video)}technique` : 'Technique'
    const marked = new Set(group.map(p => p.name))
    return `${title}, ${skill}: ${TECHNIQUE_POSITIONS_BY_SKILL[skill].filter(name => marked.has(name)).join(', ')}.`
  })
}

/**
 * Renders all text of a review except its summary, names its technique positions, and counts its drawings, voice-overs and comparisons. If
 * the session has several videos, each line begins with the number of its video.
 */
export function ReviewTextWithoutSummary({ review, videoIds }: { review: LetterReview; videoIds: string[] }) {
  const { notes, grades, goals = [], voices = [], checkpoints = [], comparisons = [] } = review
  const prefixOf = (video: string) => (videoIds.length > 1 && videoIds.includes(video) ? `Video ${videoIds.indexOf(video) + 1}, ` : '')
  const drawn = [...notes, ...voices, ...comparisons.flatMap(c => c.sides)].flatMap(of => of.shapes ?? [])
  const labels = drawn.flatMap(shape => shape.text ?? [])
  const counts = [
    drawn.length && countWithNoun(drawn.length, 'drawing'),
    voices.length && countWithNoun(voices.length, 'voice-over'),
    comparisons.length && countWithNoun(comparisons.length, 'comparison'),
  ].filter(Boolean)
  return (
    <>
      {notes.map(note => (
        <QuotedText key={note.id}>{prefixOf(note.video) + noteLine(note)}</QuotedText>
      ))}
      {checkpoints.length > 0 && <Paragraph>{techniqueLines(checkpoints, prefixOf).join(' ')}</Paragraph>}
      {grades.length > 0 && <Paragraph>Grades: {grades.map(g => `${capitalized(g.skill)} ${g.grade}`).join(', ')}.</Paragraph>}
      {goals.length > 0 && <QuotedText>{`To work on:\n${goals.map(g => `${g.text} (${g.state})`).join('\n')}`}</QuotedText>}
      {labels.length > 0 && <QuotedText>{`Text on the video:\n${labels.join('\n')}`}</QuotedText>}
      {comparisons.some(c => c.title) && <QuotedText>{`Comparisons:\n${comparisons.flatMap(c => c.title || []).join('\n')}`}</QuotedText>}
      {counts.length > 0 && <Paragraph>Also on the videos: {counts.join(', ')}.</Paragraph>}
    </>
  )
}
