import { expect, test } from 'vitest'
import {
  assertRoomForModelClip,
  hasOrHadClip,
  type ModelLibraryEvent,
  modelLibraryDecider,
} from '../../../modules/model-clips/model-library.ts'
import { MAX_MODEL_CLIPS_PER_LIBRARY, MODEL_CLIP_RIGHTS_STATEMENT } from '../../../modules/model-clips/policy.ts'
import { deciderSpec } from '../../support/decider-spec.ts'
import { refusalCodeAndField } from '../../support/refusal-code-and-field.ts'

const { given } = deciderSpec(modelLibraryDecider)
const videoOf = (id: string) => ({
  id,
  name: 'IMG_1.MOV',
  type: 'video/quicktime',
  bytes: 9,
  milliseconds: 2500,
  width: 320,
  height: 240,
  key: `videos/ray/${id}`,
  poster: null,
})
const details = { title: 'A good load', skill: 'hitting', side: 'left', angle: 'side' } as const
const added = (id: string): ModelLibraryEvent => ({ type: 'ModelClipAdded', data: { ...details, video: videoOf(id) } })
const confirmed = (clip: string): ModelLibraryEvent => ({
  type: 'ModelClipRightsConfirmed',
  data: { clip, statement: MODEL_CLIP_RIGHTS_STATEMENT },
})
const shown: ModelLibraryEvent = { type: 'ModelClipShown', data: { clip: 'a', assignment: 's', player: 'ana' } }
const removed: ModelLibraryEvent = { type: 'ModelClipRemoved', data: { clip: 'a', everywhere: false } }
const removedEverywhere: ModelLibraryEvent = { type: 'ModelClipRemoved', data: { clip: 'a', everywhere: true } }
const adding = (id: string) => ({ ...details, video: videoOf(id), statement: MODEL_CLIP_RIGHTS_STATEMENT })

test('a clip is added once, with the confirmation of its rights', () => {
  given().when('add', adding('a')).gives(added('a'), confirmed('a'))
  given(added('a'), confirmed('a')).when('add', adding('a')).gives()
  given(added('a'), removed).when('add', adding('a')).refuses('removed')
  const full = Array.from({ length: MAX_MODEL_CLIPS_PER_LIBRARY }, (_, i) => added(`${i}`))
  given(...full)
    .when('add', adding('a'))
    .refuses('too-many-model-clips')
})

test('the details of a clip can be changed until it is deleted', () => {
  const described = { clip: 'a', ...details, title: 'Late hands' }
  given(added('a')).when('describe', described).gives({ type: 'ModelClipDescribed', data: described })
  given(added('a'))
    .when('describe', { clip: 'a', ...details })
    .gives()
  given(added('a'), removed).when('describe', described).refuses('no-model-clip')
})

test('showing a clip in a session is recorded once, and refused after it was removed', () => {
  given(added('a'))
    .when('show', shown.data as never)
    .gives(shown)
  given(added('a'), shown)
    .when('show', shown.data as never)
    .gives()
  given(added('a'), removed)
    .when('show', shown.data as never)
    .refuses('comparison-clip', 'comparisons')
})

test('a removed clip stays in reviews that show it, until it is removed everywhere', () => {
  const remove = (everywhere: boolean) => ({ clip: 'a', everywhere })
  given(added('a')).when('remove', remove(false)).gives(removed)
  expect(given(added('a'), removed).state).toMatchObject({ clips: [], retained: [], removed: ['a'] })
  const retained = given(added('a'), shown, removed)
  expect(retained.state).toMatchObject({ clips: [], retained: [{ video: { id: 'a' } }] })
  retained.when('remove', remove(false)).gives()
  retained.when('remove', remove(true)).gives(removedEverywhere)
  expect(given(added('a'), shown, removed, removedEverywhere).state.retained).toEqual([])
  expect(given(added('a'), shown, removedEverywhere).state.retained).toEqual([])
  given().when('remove', remove(false)).refuses('no-model-clip')
})

test('each clip keeps its own details, rights and sessions', () => {
  const described: ModelLibraryEvent = { type: 'ModelClipDescribed', data: { clip: 'a', ...details, title: 'Late hands' } }
  const library = given(added('a'), confirmed('a'), added('b'), described, shown)
  expect(library.state.clips).toEqual([
    {
      ...details,
      title: 'Late hands',
      video: videoOf('a'),
      statement: MODEL_CLIP_RIGHTS_STATEMENT,
      shown: [{ assignment: 's', player: 'ana' }],
    },
    { ...details, video: videoOf('b'), statement: null, shown: [] },
  ])
  const again = { clip: 'a', assignment: 'another', player: 'ana' }
  library.when('show', again).gives({ type: 'ModelClipShown', data: again })
})

test('the removal of one clip leaves all others as they are', () => {
  const of = (clip: string) => ({
    shown: { type: 'ModelClipShown', data: { clip, assignment: 's', player: 'ana' } } as const,
    removed: { type: 'ModelClipRemoved', data: { clip, everywhere: false } } as const,
  })
  const ids = (clips: { video: { id: string } }[]) => clips.map(clip => clip.video.id)
  const library = given(added('a'), added('b'), added('c'), shown, of('b').shown, removed, of('b').removed)
  expect([ids(library.state.clips), ids(library.state.retained), library.state.removed]).toEqual([['c'], ['a', 'b'], ['a', 'b']])
  library.when('remove', { clip: 'd', everywhere: false }).refuses('no-model-clip')
  const rest = given(added('a'), added('b'), shown, of('b').shown, removed, of('b').removed, removedEverywhere)
  expect(ids(rest.state.retained)).toEqual(['b'])
})

test('uploads in progress count toward the clips of a library', () => {
  const { state } = given(...Array.from({ length: MAX_MODEL_CLIPS_PER_LIBRARY - 2 }, (_, i) => added(`${i}`)))
  expect(() => assertRoomForModelClip(state, 1)).not.toThrow()
  expect(refusalCodeAndField(() => assertRoomForModelClip(state, 2))).toEqual({ code: 'too-many-model-clips' })
})

test('a library knows the clips that it has or had', () => {
  const { state } = given(added('a'), added('b'), removed)
  expect(['a', 'b', 'c'].map(id => hasOrHadClip(state, id))).toEqual([true, true, false])
})
