import { useEffect, useMemo, useRef } from 'react'
import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { useDraftStore } from '../../draft/use-draft-store.ts'
import { guardPlayer } from '../../voice/guarded-player.ts'
import { Dialogs } from './Dialogs.tsx'
import { useDrawing } from './drawing.ts'
import { Head } from './Head.tsx'
import { Keys } from './Keys.tsx'
import { usePlace } from './last-position.ts'
import { Parts } from './Parts.tsx'
import { Picture } from './Picture.tsx'
import { useDesk } from './studio-store.ts'
import { useTechnique } from './technique.ts'
import { useSpeaking } from './voice/speaking.ts'

/** Where a review is written: the video, notes pinned to its frames, the summary and the grades. */
export function Studio({ folder, session, onDelivered }: { folder: Folder; session: Session; onDelivered: () => void }) {
  const { draftStore, failed } = useDraftStore({ folder: folder.id, session: session.id })
  const desk = useDesk(draftStore, folder.id, session)
  const forgetPlace = usePlace(session.id, desk)
  const draw = useDrawing(desk)
  const latest = useRef(session)
  latest.current = session
  const speaking = useSpeaking(desk, { folder: folder.id, session: () => latest.current, pencil: draw.pencil })
  const { recorder, replay } = speaking
  const guardedPlayer = useMemo(() => guardPlayer(desk.player, replay), [desk, replay])
  const technique = useTechnique(desk, guardedPlayer)
  useEffect(() => desk.leads(() => replay.$voice.get() && replay.leave()), [desk, replay])
  useEffect(
    () =>
      desk.$comparing.listen(comparing => {
        if (!comparing) return
        // The stage goes: what was said on it is kept.
        void recorder.stop()
        replay.close()
      }),
    [desk, recorder, replay],
  )
  if (!session.clips.length) return null
  const at = { desk, folder, session: session.id }
  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh">
      <Keys {...{ desk, guardedPlayer, draw, speaking, technique }} />
      <Head {...{ desk, folder, failed }} ended={!!session.review} />
      {/* Of the same kind at every width: WebKit builds a box that becomes another anew, and the video's picture with it. */}
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <Picture {...at} {...{ guardedPlayer, draw, speaking, technique }} />
        <Parts {...at} {...{ draw, speaking, technique }} message={session.message} />
      </div>
      <Dialogs
        {...{ desk, folder, session, draw, speaking }}
        onDelivered={() => {
          forgetPlace()
          onDelivered()
        }}
      />
    </div>
  )
}
