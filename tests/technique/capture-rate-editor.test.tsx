import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { CaptureRateEditor } from '../../src/technique/CaptureRateEditor.tsx'
import { createSampleClipData, sampleVideoPropertiesAtRate } from '../review-video/sample-review.ts'

vi.mock('../../src/client/use-command.ts', () => ({
  useCommand: () => ({ run: async () => false, busy: false, error: undefined, message: 'No connection right now.', clear: () => {} }),
}))

test('a capture rate that could not be set shows the reason below the buttons', () => {
  const html = renderToString(
    <CaptureRateEditor folder="f" clip={createSampleClipData('a', { media: sampleVideoPropertiesAtRate([30, 1]) })} />,
  )
  expect(html).toContain('Filmed in slow motion?')
  expect(html).toContain('No connection right now.')
})
