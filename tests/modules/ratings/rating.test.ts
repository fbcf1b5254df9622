import { expect, test } from 'vitest'
import { MAX_CHANGES_PER_RATING } from '../../../modules/ratings/policy.ts'
import { type RatingEvent, ratingDecider } from '../../../modules/ratings/rating.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

const { given } = deciderSpec(ratingDecider)
const session = { folder: 'f1', player: 'ana', instructor: 'ray' }
const good = { stars: 4, comment: 'Clear.', rater: 'player' as const }
const better = { ...good, stars: 5 }
const [now, until] = ['2026-05-01T00:00:00.000Z', '2026-05-31T00:00:00.000Z']
const rated: RatingEvent = { type: 'SessionRated', data: { ...session, ...good, until } }
const changed: RatingEvent = { type: 'RatingChanged', data: { ...session, ...better } }
const answered: RatingEvent = { type: 'RatingAnswered', data: { ...session, answer: 'Thank you.' } }
const hidden: RatingEvent = { type: 'RatingHidden', data: { ...session, reason: 'Names a minor.' } }
const restored: RatingEvent = { type: 'RatingRestored', data: session }

test('a session can be rated, and the rating changed until its deadline', () => {
  given().when('rate', { session, verdict: good, now, until }).gives(rated)
  given(rated).when('rate', { session, verdict: good, now, until: 'later' }).gives()
  given(rated).when('rate', { session, verdict: better, now, until: 'later' }).gives(changed)
  given(rated).when('rate', { session, verdict: better, now: until, until: 'later' }).refuses('rating-final')
  given(rated).when('rate', { session, verdict: good, now: until, until: 'later' }).gives()
})

test('a rating by the guardian replaces the rating by the child', () => {
  const verdict = { stars: 2, comment: null, rater: 'guardian' as const }
  given(rated)
    .when('rate', { session, verdict, now, until })
    .gives({ type: 'RatingChanged', data: { ...session, ...verdict } })
})

test('a rating can be changed a limited number of times', () => {
  const often = Array.from({ length: MAX_CHANGES_PER_RATING }, () => changed)
  given(rated, ...often)
    .when('rate', { session, verdict: good, now, until })
    .refuses('too-many-changes')
})

test('an instructor can answer a rating once', () => {
  given().when('answer', { answer: 'Thank you.' }).refuses('no-rating')
  given(rated).when('answer', { answer: 'Thank you.' }).gives(answered)
  given(rated, answered).when('answer', { answer: 'Thank you.' }).gives()
  given(rated, answered).when('answer', { answer: 'Thanks.' }).refuses('answered')
})

test('a changed rating loses its answer and can be answered again', () => {
  expect(given(rated, answered, changed).state.answer).toBeNull()
  given(rated, answered, changed)
    .when('answer', { answer: 'I will do better.' })
    .gives({ type: 'RatingAnswered', data: { ...session, answer: 'I will do better.' } })
})

test('an answer is refused if the rating has changed since the instructor read it', () => {
  const { rater: _, ...to } = good
  given(rated).when('answer', { answer: 'Thank you.', to }).gives(answered)
  given(rated, changed).when('answer', { answer: 'Thank you.', to }).refuses('rating-changed')
})

test('an administrator can hide a rating with a reason, and show it again', () => {
  given().when('hide', { reason: 'Names a minor.' }).refuses('no-rating')
  given(rated).when('hide', { reason: 'Names a minor.' }).gives(hidden)
  given(rated, hidden).when('hide', { reason: 'Rude.' }).gives()
  given(rated).when('restore').gives()
  given(rated, hidden).when('restore').gives(restored)
  expect(given(rated, hidden, restored).state.hidden).toBe(false)
})
