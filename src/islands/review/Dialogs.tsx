import { useStore } from '@nanostores/react'
import { Suspense, useEffect } from 'react'
import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import type { Draw } from './drawing.ts'
import type { Desk } from './studio-store.ts'
import type { Speaking } from './voice/speaking.ts'

const Deliver = lazyWithRetry(() => import('./Deliver.tsx').then(m => ({ default: m.Deliver })))
const Ended = lazyWithRetry(() => import('./Ended.tsx').then(m => ({ default: m.Ended })))
const Phrases = lazyWithRetry(() => import('./phrases/Phrases.tsx').then(m => ({ default: m.Phrases })))
const Help = lazyWithRetry(() => import('./Help.tsx').then(m => ({ default: m.Help })))

/** What one presses or writes in first, in the parts of the summary's tab. */
const FIRST: Record<string, string> = {
  goals: '[aria-labelledby=goals] textarea, [aria-labelledby=goals] > button',
  grades: '[aria-labelledby=grades] input',
}

/** What opens over the studio. */
export function Dialogs({
  desk,
  folder,
  session,
  draw,
  speaking,
  onDelivered,
}: {
  desk: Desk
  folder: Folder
  session: Session
  draw: Draw
  speaking: Speaking
  onDelivered: () => void
}) {
  const asked = useStore(desk.$dialog)
  const ended = !!session.review
  const dialog = ended && asked === 'deliver' ? 'ended' : asked
  useEffect(() => {
    if (ended) desk.$dialog.set('ended')
  }, [ended, desk])
  const clips = useStore(desk.$clips)
  const onClose = () => desk.$dialog.set(undefined)
  /** To what is missing: a tab, a note, a clip, or a field. */
  function go(place: string) {
    if (place === 'technique') return desk.$tab.set(place)
    const note = desk.draftStore.$draft.get().notes.find(n => n.id === place)
    const video = clips.find(c => c.id === place)
    if (note) {
      desk.go(note)
      desk.write(note.id)
    } else if (video) desk.choose(video)
    else if (place === 'picture') draw.drawOn()
    else desk.turnTo(FIRST[place] ?? '#summary')
  }
  return (
    <Suspense fallback={null}>
      {dialog === 'deliver' && (
        <Deliver
          {...{ folder, clips, onClose, onDelivered }}
          session={session.id}
          draftStore={desk.draftStore}
          voices={speaking.voices}
          onGo={go}
        />
      )}
      {dialog === 'ended' && <Ended {...{ folder, session, onClose }} />}
      {dialog === 'phrases' && <Phrases onClose={onClose} />}
      {dialog === 'help' && <Help onClose={onClose} />}
    </Suspense>
  )
}
