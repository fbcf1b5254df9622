import { atom } from 'nanostores'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { PlayerMessageAndDecline } from '../../../src/islands/review/PlayerMessageAndDecline.tsx'
import type { StudioStore } from '../../../src/islands/review/studio-store.ts'

const studio = { $dialog: atom(), autosavedDraft: { $saveState: atom('saved') } } as unknown as StudioStore
const render = (session: Partial<Session>) =>
  renderToString(
    <PlayerMessageAndDecline
      studio={studio}
      folder={{ player: { name: 'Mia Torres' } } as Folder}
      session={{ assigned: '2026-05-02T16:00:00.000Z', message: null, review: null, delivery: null, ...session } as Session}
    />,
  )

test('an instructor can decline a folder until it is delivered', () => {
  expect(render({ status: 'assigned' })).toContain('Decline')
  expect(render({ status: 'in-review' })).toContain('Decline')
  expect(render({ status: 'in-review', message: 'Is my stance too wide?' })).toContain('Decline')
})

test('a folder whose delivery can still be undone cannot be declined', () => {
  expect(render({ status: 'in-review', delivery: { until: '2026-05-02T17:00:00.000Z', undoMs: 5000, refusal: null } })).not.toContain(
    'Decline',
  )
})
