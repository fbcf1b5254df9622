import { useStore } from '@nanostores/react'
import { Columns2, PencilLine, Plus } from 'lucide-react'
import type { ReadableAtom } from 'nanostores'
import { memo, type ReactNode, useDeferredValue, useMemo } from 'react'
import type { Video } from '../../../modules/folders/contract.ts'
import type { Shape } from '../../../modules/reviews/contract.ts'
import { useDraftSelector, useIsDraftLoading } from '../../draft/draft-selectors.ts'
import type { Shapes } from '../../drawing/Easel.tsx'
import type { Pinned } from '../../folders/notes.ts'
import { ClipTabs } from '../../player/ClipTabs.tsx'
import type { FrameMark } from '../../player/FrameStrip.tsx'
import type { Player } from '../../player/player.ts'
import { Stage } from '../../player/Stage.tsx'
import { marksOfPositions } from '../../technique/position-marks.ts'
import { Button } from '../../ui/button.tsx'
import { useDeferredStore } from '../../ui/deferred-store.ts'
import { handleAfterPaint } from '../../ui/next-paint.ts'
import type { Draw } from './drawing.ts'
import { createDrawn } from './drawn.ts'
import type { Desk } from './studio-store.ts'
import type { Listened } from './technique.ts'

interface Props {
  desk: Desk
  /** As hands reach it. */
  guardedPlayer: Player
  draw: Draw
  /** What lies over the picture. */
  over: ReactNode
  /** More to press, beside the others. */
  more: ReactNode
}

/** The video under review with the marks of its notes and positions, which come a moment after the keys that set them, and the other clips. */
export function Film({
  $heard,
  $spoken,
  ...rest
}: Props & { $heard: ReadableAtom<Listened | undefined>; $spoken: ReadableAtom<readonly Shape[]> }) {
  const { desk } = rest
  const { draftStore, $clip } = desk
  const clip = useStore($clip)!
  const notes = useDraftSelector(draftStore, d => d.notes)
  const checkpoints = useDraftSelector(draftStore, d => d.checkpoints)
  const onRevisionElsewhere = useStore($heard)
  const marks = useMemo(
    () =>
      marksOfPositions(
        checkpoints,
        clip.id,
        onRevisionElsewhere?.is === 'found' && onRevisionElsewhere.video === clip.id ? onRevisionElsewhere.frames : [],
      ),
    [checkpoints, onRevisionElsewhere, clip.id],
  )
  const shapes = useMemo(() => createDrawn(desk, $spoken), [desk, $spoken])
  // Whoever presses a note sees it marked first.
  const current = useDeferredValue(useDeferredStore(desk.$current, it => it))
  return <Screen {...rest} {...{ clip, shapes, current }} notes={useDeferredValue(notes)} marks={useDeferredValue(marks)} />
}

/** Takes the pencil, and puts it away. */
const DrawButton = ({ draw, disabled }: { draw: Draw; disabled: boolean }) => (
  <Button
    variant="secondary"
    size="sm"
    aria-keyshortcuts="D"
    aria-pressed={useDeferredStore(draw.pencil.$instrument, it => it !== null)}
    disabled={disabled}
    icon={<PencilLine aria-hidden="true" size={18} strokeWidth={1.75} />}
    onClick={draw.draw}
    className="mr-1 aria-pressed:border-field aria-pressed:bg-field-wash aria-pressed:text-field"
  >
    Draw
  </Button>
)

const Screen = memo(function Screen({
  desk,
  guardedPlayer,
  draw,
  over,
  more,
  clip,
  notes,
  shapes,
  marks,
  current,
}: Props & { clip: Video; marks: FrameMark[]; notes: Pinned[]; shapes: Shapes; current: string | undefined }) {
  const clips = useStore(desk.$clips)
  const loading = useIsDraftLoading(desk.draftStore)
  // A stroke does not draw their marks anew.
  const its = useMemo(() => notes.filter(n => n.video === clip.id), [notes, clip.id])
  return (
    <div className="z-10 flex min-h-0 min-w-0 flex-col border-line bg-paper contain-content max-lg:sticky max-lg:top-0 max-lg:h-[55dvh] max-lg:shrink-0 max-lg:border-b lg:flex-1">
      <div className="min-h-0 flex-1">
        <Stage
          fill
          player={guardedPlayer}
          clip={clip}
          notes={its}
          current={current}
          onNote={desk.go}
          drawing={draw.drawing}
          $view={desk.$view}
          {...{ pictureOverlay: over, shapes, marks }}
          extraControls={
            <>
              <DrawButton draw={draw} disabled={loading} />
              <Button
                variant="secondary"
                size="sm"
                aria-keyshortcuts="M"
                disabled={loading}
                icon={<Plus aria-hidden="true" size={18} strokeWidth={2} />}
                onClick={handleAfterPaint(desk.addNote)}
                className="mr-1"
              >
                Note
              </Button>
              <Button
                variant="secondary"
                size="sm"
                aria-keyshortcuts="C"
                disabled={loading}
                icon={<Columns2 aria-hidden="true" size={18} strokeWidth={1.75} />}
                onClick={handleAfterPaint(desk.compareAgain)}
                className="mr-1"
              >
                Compare
              </Button>
              {more}
            </>
          }
        />
      </div>
      {clips.length > 1 && (
        <ClipTabs
          clips={clips}
          selected={clip.id}
          onSelect={desk.choose}
          notes={id => notes.filter(n => n.video === id).length}
          className="shrink-0 border-t border-line p-2"
        />
      )}
    </div>
  )
})
