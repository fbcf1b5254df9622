import { atom } from 'nanostores'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DeliveredTechniquePositions } from '../../src/feedback/DeliveredTechniquePositions.tsx'
import { PreloadedPageDataContext } from '../../src/page-load/preloaded-page-data-context.ts'
import type { VideoPlayer } from '../../src/player/video-player.ts'
import { createSampleClipData, sampleVideoPropertiesAtRate } from '../review-video/sample-review.ts'

const clip = createSampleClipData('a', { media: sampleVideoPropertiesAtRate([30, 1]) })
const contact = { video: 'a', skill: 'hitting' as const, name: 'contact', frame: 30, by: 'hand' as const }
const earlier = { session: 's0', given: '2026-04-02T16:00:00.000Z', skill: 'hitting', clips: [clip], checkpoints: [contact] }

/** Renders the technique on a page that was preloaded with the technique of an earlier session. */
const renderOn = (address: string) =>
  renderToString(
    <PreloadedPageDataContext
      value={{
        renderedAt: 0,
        timeZone: 'UTC',
        readMarks: '',
        address,
        answers: { '/api/folders/f/technique?session=s': { before: [earlier] } },
      }}
    >
      <DeliveredTechniquePositions
        folder="f"
        session={{ id: 's', clips: [clip] }}
        checkpoints={[contact]}
        player={{ $status: atom('ready') } as unknown as VideoPlayer}
        onPick={() => {}}
      />
    </PreloadedPageDataContext>,
  )

test("a player's page offers the capture rate and the technique of the last session", () => {
  const html = renderOn('/player/folder/f')
  expect(html).toContain('Filmed in slow motion?')
  expect(html).toContain('Compare with last time')
})

test("a guardian's page offers nothing that needs a player's account", () => {
  const html = renderOn('/family/folder/f')
  expect(html).toContain('Contact')
  expect(html).toContain('Filmed at 30 frames per second')
  expect(html).not.toContain('Filmed in slow motion?')
  expect(html).not.toContain('Compare with last time')
})
