import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ListedMediaJob } from '../../../modules/media/contract.ts'
import { MediaJobList } from '../../../src/islands/admin/MediaJobList.tsx'

const job = {
  video: '0198c0de-0000-7000-8000-000000000001',
  state: 'waiting',
  tries: 0,
  bytes: 0,
  asked: '2026-03-08T12:00:00.000Z',
  ended: null,
} as ListedMediaJob

test('only videos can be refused, not voice-overs or videos of reviews', () => {
  const buttonsOf = (kind: ListedMediaJob['kind'], state: ListedMediaJob['state']) =>
    renderToString(<MediaJobList works={[{ ...job, kind, state }]} onRefuse={() => {}} onRetried={() => {}} />).match(
      /Refuse video|Try video/g,
    )
  const kinds = ['rendition', 'voice', 'review'] as const
  expect(kinds.map(kind => buttonsOf(kind, 'waiting'))).toEqual([['Refuse video'], null, null])
  expect(kinds.map(kind => buttonsOf(kind, 'refused'))).toEqual([['Try video'], ['Try video'], ['Try video']])
})
