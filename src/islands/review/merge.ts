import type { Draft } from '../../../modules/folders/contract.ts'

type Note = Draft['notes'][number]

/** Two texts that both came from `base`: whoever changed wins; where both did, nothing of either is lost. */
function text(base: string, mine: string, theirs: string): string {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  if (mine.includes(theirs)) return mine
  if (theirs.includes(mine)) return theirs
  return `${mine}\n\n${theirs}`
}

const same = (a: Note, b: Note) => a.text === b.text && a.kind === b.kind && a.at === b.at && a.video === b.video
const pick = <T>(base: T, mine: T, theirs: T) => (mine === base ? theirs : mine)

function note(base: Note | undefined, mine: Note | undefined, theirs: Note | undefined): Note | undefined {
  if (mine && theirs) {
    return {
      id: mine.id,
      video: pick(base?.video, mine.video, theirs.video)!,
      at: pick(base?.at, mine.at, theirs.at)!,
      kind: pick(base?.kind, mine.kind, theirs.kind)!,
      text: text(base?.text ?? '', mine.text, theirs.text),
    }
  }
  const left = mine ?? theirs
  // Removed on one side: it goes, unless the other side has changed it since.
  return left && (!base || !same(base, left)) ? left : undefined
}

/** Joins what two tabs made of the same draft. Text that somebody typed is never dropped. */
export function merge(base: Draft, mine: Draft, theirs: Draft): Draft {
  const of = (draft: Draft, id: string) => draft.notes.find(n => n.id === id)
  const ids = [...new Set([...mine.notes, ...theirs.notes].map(n => n.id))]
  const skills = [...new Set([...mine.grades, ...theirs.grades].map(g => g.skill))]
  const grade = (draft: Draft, skill: string) => draft.grades.find(g => g.skill === skill)?.grade
  return {
    notes: ids.flatMap(id => note(of(base, id), of(mine, id), of(theirs, id)) ?? []),
    summary: text(base.summary, mine.summary, theirs.summary),
    grades: skills.flatMap(skill => {
      const value = pick(grade(base, skill), grade(mine, skill), grade(theirs, skill))
      return value === undefined ? [] : { skill, grade: value }
    }),
  }
}

export const nothing: Draft = { notes: [], summary: '', grades: [] }

/** The same content, in whatever order it comes. */
export const equal = (a: Draft, b: Draft) =>
  a.summary === b.summary &&
  a.notes.length === b.notes.length &&
  a.grades.length === b.grades.length &&
  a.notes.every(n => b.notes.some(m => m.id === n.id && same(m, n))) &&
  a.grades.every(g => b.grades.some(h => h.skill === g.skill && h.grade === g.grade))
