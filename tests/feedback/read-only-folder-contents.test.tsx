import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Folder } from '../../modules/folders/contract.ts'
import { ReadOnlyFolderContents } from '../../src/feedback/ReadOnlyFolderContents.tsx'
import { createSampleClipData, sampleReviewedSession } from '../review-video/sample-review.ts'

const session = {
  ...sampleReviewedSession({ summary: 'Good load.' }),
  id: 's1',
  status: 'paid',
  grades: [],
  instructor: { name: 'Ray Kim' },
  assigned: '2026-05-02T16:00:00.000Z',
}
const folder = {
  ...{ id: 'f', name: 'Tee work', status: 'paid', player: { id: 'leo', name: 'Leo Santos' }, story: [], session },
  ...{ sessions: [session], clips: [createSampleClipData('next-a'), createSampleClipData('next-b')] },
} as unknown as Folder
const render = (of: Folder, viewer: 'admin' | 'family') => renderToString(<ReadOnlyFolderContents folder={of} viewer={viewer} />)

test.each(['admin', 'family'] as const)('on the %s page, the videos for a follow-up come before the last feedback', viewer => {
  const html = render(folder, viewer)
  expect(html).toContain('For the next session')
  expect(html).toMatch(/next-a\.mp4.*next-b\.mp4/s)
})

test('only the page of the newest session shows the videos for a follow-up', () => {
  expect(render({ ...folder, clips: [] }, 'family')).not.toContain('For the next session')
  const newer = { ...session, id: 's2' } as unknown as Folder['sessions'][number]
  const html = render({ ...folder, sessions: [newer, ...folder.sessions] }, 'family')
  expect(html).toContain('aria-current="page"')
  expect(html).not.toContain('next-a.mp4')
})
