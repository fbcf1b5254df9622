import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Review } from '../../../modules/folders/contract.ts'
import {
  currentSession,
  type FolderEvent,
  type FolderState,
  folderDecider,
  folderStatusOf,
  nextSessionVideos,
  type StoredVideo,
} from '../../../modules/folders/folder.ts'
import { MAX_VIDEOS_PER_SESSION } from '../../../modules/folders/policy.ts'
import { fold } from '../../../modules/kernel/decider.ts'
import { CommandRefused } from '../../../modules/kernel/store.ts'

const videoId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const person = fc.constantFrom('i', 'j')
const assignment = fc.constantFrom('as1', 'as2', 'as3', 'as4')
const named = fc.option(assignment, { nil: undefined })
const reviewer = fc.record({ instructor: person, session: named })
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

/** Any command with any payload; `assign` quotes the current videos, as the API does. */
const command: fc.Arbitrary<(f: FolderState) => FolderEvent | FolderEvent[]> = fc.oneof(
  fc.constant((f: FolderState) => folderDecider.decide.create(f, { player: 'p', name: 'Swings' })),
  fc.constantFrom('One', 'Two').map(name => (f: FolderState) => folderDecider.decide.rename(f, { name })),
  fc.constant((f: FolderState) => folderDecider.decide.archive(f)),
  fc.constant((f: FolderState) => folderDecider.decide.restore(f)),
  videoId.map(id => (f: FolderState) => folderDecider.decide.addVideo(f, { video: video(id) })),
  videoId.map(id => (f: FolderState) => folderDecider.decide.removeVideo(f, { video: id })),
  fc.tuple(assignment, person).map(
    ([id, instructor]) =>
      (f: FolderState) =>
        folderDecider.decide.assign(f, { assignment: id, instructor, message: null, quote, terms: null, videos: nextSessionVideos(f) }),
  ),
  fc.constant((f: FolderState) => folderDecider.decide.withdraw(f, {})),
  reviewer.map(who => (f: FolderState) => folderDecider.decide.decline(f, { ...who, reason: 'No' })),
  reviewer.map(who => (f: FolderState) => folderDecider.decide.startReview(f, who)),
  fc.tuple(reviewer, review).map(
    ([who, words]) =>
      (f: FolderState) =>
        folderDecider.decide.deliver(f, { ...who, review: words }),
  ),
  fc.record({ question: fc.constantFrom('How', 'Why'), session: named }).map(c => (f: FolderState) => folderDecider.decide.ask(f, c)),
  fc.tuple(reviewer, fc.constantFrom('So', 'Thus')).map(
    ([who, answer]) =>
      (f: FolderState) =>
        folderDecider.decide.answer(f, { ...who, answer }),
  ),
  assignment.map(id => (f: FolderState) => folderDecider.decide.paid(f, { assignment: id })),
)

/** Runs the commands in order. After each one that is not refused, passes the whole log and its state to `check`. */
function run(commands: ((f: FolderState) => FolderEvent | FolderEvent[])[], check: (events: FolderEvent[], state: FolderState) => void) {
  const events: FolderEvent[] = []
  for (const decide of commands) {
    let decided: FolderEvent[]
    try {
      decided = [decide(fold(folderDecider, events))].flat()
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error
      continue
    }
    events.push(...decided)
    check(events, fold(folderDecider, events))
  }
}

const commands = fc.array(command, { minLength: 10, maxLength: 120 })
const count = (events: FolderEvent[], type: string, id: string) =>
  events.filter(e => e.type === type && (e.data as { assignment?: string }).assignment === id).length

test('a folder stays consistent after any sequence of commands', () => {
  fc.assert(
    fc.property(commands, all =>
      run(all, (events, f) => {
        const kept = f.sessions.filter(s => s.status !== 'ended')
        const reviewed = kept.filter(s => s.review).flatMap(s => s.videos.map(v => v.id))
        const unseen = f.videos.filter(v => !reviewed.includes(v.id))
        expect(unseen.length).toBeLessThanOrEqual(MAX_VIDEOS_PER_SESSION)
        expect(new Set(f.videos.map(v => v.id)).size).toBe(f.videos.length)
        for (const s of kept) expect(s.videos.every(a => f.videos.some(v => v.id === a.id))).toBe(true)
        // Except for sessions that ended without feedback, every session before the newest is paid.
        expect(kept.slice(0, -1).every(s => s.status === 'paid')).toBe(true)
        expect(kept.at(-1)).toBe(currentSession(f))
        for (const s of f.sessions) {
          const given = events.find(e => e.type === 'FeedbackGiven' && e.data.assignment === s.id) as
            | { data: { review: Review } }
            | undefined
          expect(s.review).toEqual(given?.data.review ?? null)
        }
        for (const { id } of f.sessions) {
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
        const now = ['assigned', 'in-review', 'feedback-given'].includes(folderStatusOf(f)) ? JSON.stringify(f.videos) : undefined
        if (frozen && now) expect(now).toBe(frozen)
        frozen = now
      })
    }),
    { numRuns: 300 },
  )
})

test('repeating an accepted command writes nothing or is refused', () => {
  fc.assert(
    fc.property(commands, command, (all, last) => {
      const events: FolderEvent[] = []
      run(all, done => events.splice(0, events.length, ...done))
      const attempt = () => {
        try {
          return [last(fold(folderDecider, events))].flat()
        } catch (error) {
          if (error instanceof CommandRefused) return []
          throw error
        }
      }
      events.push(...attempt())
      expect(attempt()).toEqual([])
    }),
    { numRuns: 300 },
  )
})
