import { expect, test } from 'vitest'
import { type ConsentEvent, consentDecider } from '../../../modules/consent/consent.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

const { given } = deciderSpec(consentDecider)
const covers = ['payment', 'mail', 'storage'] as const
const asked: ConsentEvent = { type: 'ConsentAsked', data: { guardian: 'pat' } }
const agreed = (optional: 'news'[] = [], guardian = 'pat') => ({ guardian, covers: [...covers], optional })
const yes: ConsentEvent = { type: 'ConsentGiven', data: agreed() }
const no: ConsentEvent = { type: 'ConsentRefused', data: { guardian: 'pat' } }
const withdrawn: ConsentEvent = { type: 'ConsentWithdrawn', data: { guardian: 'pat', reviews: 'finish' } }
const give = { guardian: 'pat', optional: [] }

test('each guardian is asked for consent once', () => {
  given().when('ask', { guardian: 'pat' }).gives(asked)
  for (const answer of [asked, yes, no, withdrawn]) given(asked, answer).when('ask', { guardian: 'pat' }).gives()
  given(asked, yes)
    .when('ask', { guardian: 'mo' })
    .gives({ type: 'ConsentAsked', data: { guardian: 'mo' } })
  expect(given(asked, yes, { type: 'ConsentAsked', data: { guardian: 'mo' } }).state.status).toBe('asked')
})

test('consent is given once, and lists third parties by name', () => {
  for (const before of [[], [asked]])
    given(...before)
      .when('give', give)
      .gives(yes)
  given(asked, yes).when('give', give).gives()
  given(asked, yes)
    .when('give', { guardian: 'mo', optional: [] })
    .gives({ type: 'ConsentGiven', data: agreed([], 'mo') })
})

test('consent is renewed after a refusal or withdrawal, or with other options', () => {
  for (const before of [no, withdrawn]) {
    given(asked, yes, before).when('give', give).gives({ type: 'ConsentRenewed', data: agreed() })
    expect(given(asked, yes, before).state).toMatchObject({ optional: [] })
  }
  given(asked, yes)
    .when('give', { ...give, optional: ['news'] })
    .gives({ type: 'ConsentRenewed', data: agreed(['news']) })
})

test('a refusal is recorded once, and not after consent was given or withdrawn', () => {
  given(asked).when('refuse', { guardian: 'pat' }).gives(no)
  given(asked, no).when('refuse', { guardian: 'pat' }).gives()
  given(asked, yes).when('refuse', { guardian: 'pat' }).refuses('consent-given')
  given(asked, yes, withdrawn).when('refuse', { guardian: 'pat' }).refuses('consent-withdrawn')
})

test('consent can be withdrawn only by the guardian who gave it', () => {
  given(asked, yes).when('withdraw', { guardian: 'pat', reviews: 'finish' }).gives(withdrawn)
  given(asked, yes).when('withdraw', { guardian: 'mo', reviews: 'finish' }).gives()
  for (const before of [asked, no, withdrawn]) given(before).when('withdraw', { guardian: 'pat', reviews: 'hand-back' }).gives()
})

test('the guardianship ends once, at 18, whatever the guardian answered', () => {
  const ended: ConsentEvent = { type: 'GuardianshipEnded', data: { guardian: 'pat', cause: 'of-age' } }
  for (const before of [asked, yes, no, withdrawn]) given(before).when('comeOfAge', {}).gives(ended)
  given(asked, yes, ended).when('comeOfAge', {}).gives()
  given().when('comeOfAge', {}).gives()
  expect(given(asked, yes, ended).state).toEqual({ status: 'none', guardian: null, optional: [], former: ['pat'] })
})

test('another guardian takes over once, and must agree again', () => {
  const change = { guardian: 'mo', former: 'pat', reason: null }
  const changed: ConsentEvent = { type: 'GuardianChanged', data: change }
  for (const before of [[], [asked], [asked, yes], [asked, no], [asked, yes, withdrawn]]) {
    given(...before)
      .when('change', change)
      .gives(changed)
    expect(given(...before, changed).state).toEqual({ status: 'asked', guardian: 'mo', optional: [], former: ['pat'] })
  }
  given(asked, yes, changed).when('change', change).gives()
  given(asked, yes, changed).when('ask', { guardian: 'mo' }).gives()
  given(asked, yes, changed)
    .when('give', { guardian: 'mo', optional: [] })
    .gives({ type: 'ConsentGiven', data: agreed([], 'mo') })
  given(asked, yes, changed).when('withdraw', { guardian: 'pat', reviews: 'finish' }).gives()
})

test('an administrator gives the reason for a change of guardian', () => {
  const change = { guardian: 'mo', former: 'pat', reason: 'The mother called.' }
  given(asked, yes).when('change', change).gives({ type: 'GuardianChanged', data: change })
})

test('answers of a former guardian are refused until they are asked again', () => {
  const changedTo = (guardian: string, former: string): ConsentEvent => ({
    type: 'GuardianChanged',
    data: { guardian, former, reason: null },
  })
  const ended: ConsentEvent = { type: 'GuardianshipEnded', data: { guardian: 'pat', cause: 'of-age' } }
  for (const after of [[changedTo('mo', 'pat')], [changedTo('mo', 'pat'), changedTo('ida', 'mo')], [ended]]) {
    for (const before of [[asked], [asked, yes], [asked, no], [asked, yes, withdrawn]]) {
      given(...before, ...after)
        .when('give', give)
        .refuses('guardian-changed')
      given(...before, ...after)
        .when('refuse', { guardian: 'pat' })
        .refuses('guardian-changed')
    }
  }
  for (const again of [asked, changedTo('pat', 'mo')]) {
    given(asked, changedTo('mo', 'pat'), again).when('give', give).gives(yes)
    given(asked, changedTo('mo', 'pat'), again).when('refuse', { guardian: 'pat' }).gives(no)
  }
  const returned = given(asked, changedTo('mo', 'pat'), changedTo('pat', 'mo'), changedTo('mo', 'pat')).state
  expect(returned.former).toEqual(['pat'])
})
