import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Review } from '../../../modules/folders/contract.ts'
import { type Folder, type FolderEvent, folder, nextSession, type StoredVideo, statusOf } from '../../../modules/folders/folder.ts'
import { VIDEOS_PER_FOLDER } from '../../../modules/folders/policy.ts'
import { fold } from '../../../modules/kernel/decider.ts'
import { Refused } from '../../../modules/kernel/store.ts'

const videoId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const person = fc.constantFrom('i', 'j')
const assignment = fc.constantFrom('as1', 'as2', 'as3', 'as4')
const video = (id: string): StoredVideo => ({
  id,
  name: `${id}.mov`,
  type: 'video/quicktime',
  bytes: id.charCodeAt(0),
  milliseconds: 3000,
  width: 0,
  height: 0,
  key: `videos/f/${id}`,
  poster: null,
})
const review = fc.record({
  notes: fc.array(
    fc.record({
      id: fc.uuid(),
      video: videoId,
      at: fc.integer({ min: 0, max: 3500 }),
      kind: fc.constant('tip' as const),
      text: fc.string(),
    }),
    { maxLength: 2 },
  ),
  summary: fc.constantFrom('Good', 'Better'),
  grades: fc.constant<Review['grades']>([]),
})
const quote = { items: [], total: 0, atMost: 0 }

/** Any command with any payload; `assign` prices what is there, as the API does. */
const command: fc.Arbitrary<(f: Folder) => FolderEvent | FolderEvent[]> = fc.oneof(
  fc.constant((f: Folder) => folder.decide.create(f, { player: 'p', name: 'Swings' })),
  fc.constantFrom('One', 'Two').map(name => (f: Folder) => folder.decide.rename(f, { name })),
  fc.constant((f: Folder) => folder.decide.archive(f)),
  fc.constant((f: Folder) => folder.decide.restore(f)),
  videoId.map(id => (f: Folder) => folder.decide.addVideo(f, { video: video(id) })),
  videoId.map(id => (f: Folder) => folder.decide.removeVideo(f, { video: id })),
  fc.tuple(assignment, person).map(
    ([id, instructor]) =>
      (f: Folder) =>
        folder.decide.assign(f, { assignment: id, instructor, message: null, quote, terms: null, videos: nextSession(f) }),
  ),
  fc.constant((f: Folder) => folder.decide.withdraw(f)),
  person.map(instructor => (f: Folder) => folder.decide.decline(f, { instructor, reason: 'No' })),
  person.map(instructor => (f: Folder) => folder.decide.startReview(f, { instructor })),
  fc.tuple(person, review).map(
    ([instructor, words]) =>
      (f: Folder) =>
        folder.decide.deliver(f, { instructor, review: words }),
  ),
  fc.constantFrom('How', 'Why').map(question => (f: Folder) => folder.decide.ask(f, { question })),
  fc.tuple(person, fc.constantFrom('So', 'Thus')).map(
    ([instructor, answer]) =>
      (f: Folder) =>
        folder.decide.answer(f, { instructor, answer }),
  ),
  assignment.map(id => (f: Folder) => folder.decide.paid(f, { assignment: id })),
)

/** Runs the commands, each twice as a client that retries would, and hands every step to `check`. */
function run(commands: ((f: Folder) => FolderEvent | FolderEvent[])[], check: (events: FolderEvent[], state: Folder) => void) {
  const events: FolderEvent[] = []
  for (const decide of commands) {
    let decided: FolderEvent[]
    try {
      decided = [decide(fold(folder, events))].flat()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      continue
    }
    events.push(...decided)
    check(events, fold(folder, events))
  }
}

const commands = fc.array(command, { minLength: 10, maxLength: 120 })
const count = (events: FolderEvent[], type: string, id: string) =>
  events.filter(e => e.type === type && (e.data as { assignment?: string }).assignment === id).length

test('whatever is asked, the folder stays sound', () => {
  fc.assert(
    fc.property(commands, all =>
      run(all, (events, f) => {
        const unseen = f.videos.filter(v => !f.reviewed.includes(v.id))
        expect(unseen.length).toBeLessThanOrEqual(VIDEOS_PER_FOLDER)
        expect(new Set(f.videos.map(v => v.id)).size).toBe(f.videos.length)
        expect(f.reviewed.every(id => f.videos.some(v => v.id === id))).toBe(true)
        expect(f.assignment?.videos.every(a => f.videos.some(v => v.id === a.id)) ?? true).toBe(true)
        for (const id of f.assignments) {
          for (const type of ['FolderAssigned', 'FeedbackGiven', 'FolderPaid', 'ClarificationAsked', 'ClarificationAnswered']) {
            expect(count(events, type, id)).toBeLessThanOrEqual(1)
          }
          expect(count(events, 'FolderPaid', id)).toBeLessThanOrEqual(count(events, 'FeedbackGiven', id))
          const ends = ['AssignmentWithdrawn', 'AssignmentDeclined', 'FeedbackGiven'].map(type => count(events, type, id))
          expect(ends.reduce((a, b) => a + b)).toBeLessThanOrEqual(1)
        }
      }),
    ),
    { numRuns: 300 },
  )
})

test('the videos of an assignment do not change until it ends', () => {
  fc.assert(
    fc.property(commands, all => {
      let frozen: string | undefined
      run(all, (_, f) => {
        const now = ['assigned', 'in-review', 'feedback-given'].includes(statusOf(f)) ? JSON.stringify(f.videos) : undefined
        if (frozen && now) expect(now).toBe(frozen)
        frozen = now
      })
    }),
    { numRuns: 300 },
  )
})

test('what was accepted is silent or refused when it is asked again, never done twice', () => {
  fc.assert(
    fc.property(commands, command, (all, last) => {
      const events: FolderEvent[] = []
      run(all, done => events.splice(0, events.length, ...done))
      const attempt = () => {
        try {
          return [last(fold(folder, events))].flat()
        } catch (error) {
          if (error instanceof Refused) return []
          throw error
        }
      }
      events.push(...attempt())
      expect(attempt()).toEqual([])
    }),
    { numRuns: 300 },
  )
})
