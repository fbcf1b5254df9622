import { useStore } from '@nanostores/react'
import { Columns2, PencilLine, Plus } from 'lucide-react'
import type { ReadableAtom, WritableAtom } from 'nanostores'
import { memo, type ReactNode, useDeferredValue, useMemo, useRef } from 'react'
import type { Video } from '../../../modules/folders/contract.ts'
import type { Shape } from '../../../modules/reviews/contract.ts'
import { Button } from '../../ui/button.tsx'
import { afterPaint } from '../../ui/painted.ts'
import type { Drawing } from '../drawing/keys.ts'
import type { View } from '../drawing/view.ts'
import { ClipTabs } from '../folder/ClipTabs.tsx'
import type { Mark } from '../folder/FrameStrip.tsx'
import type { Pinned } from '../folder/notes.ts'
import type { Player } from '../folder/player.ts'
import { Stage } from '../folder/Stage.tsx'
import { marksOf } from '../technique/marks.ts'
import type { DraftKeeper } from './draft.ts'
import type { Listened } from './technique.ts'

interface Props {
  player: Player
  clips: Video[]
  clip: Video
  /** Id of the note that is being written. */
  current: string | undefined
  loading: boolean
  onNote: (note: Pinned) => void
  onClip: (clip: Video) => void
  onAdd: () => void
  onDraw: () => void
  onCompare: () => void
  drawing: Drawing
  $view: WritableAtom<View>
  /** The drawing tools. */
  over: ReactNode
  /** More to press, beside the others. */
  more: ReactNode
}

/** The video under review with the marks of its notes, which come a moment after the keys that write them, and the other clips. */
export function Film({
  keeper,
  $heard,
  $spoken,
  ...rest
}: Props & { keeper: DraftKeeper; $heard: ReadableAtom<Listened | undefined>; $spoken: ReadableAtom<readonly Shape[]> }) {
  const { notes, checkpoints } = useStore(keeper.$draft)
  const heard = useStore($heard)
  const marks = useMemo(
    () => marksOf(checkpoints, rest.clip.id, heard?.is === 'found' && heard.video === rest.clip.id ? heard.frames : []),
    [checkpoints, heard, rest.clip.id],
  )
  const spoken = useStore($spoken)
  const shapes = useSteady([...notes.flatMap(n => (n.video === rest.clip.id ? (n.shapes ?? []) : [])), ...spoken])
  return <Screen {...rest} marks={marks} shapes={shapes} notes={useDeferredValue(notes)} />
}

/** The list of before where it holds the same things: letters that are typed do not draw the picture anew. */
function useSteady<T>(list: readonly T[]): readonly T[] {
  const last = useRef(list)
  if (list.length !== last.current.length || list.some((it, i) => it !== last.current[i])) last.current = list
  return last.current
}

const Screen = memo(function Screen({
  player,
  clips,
  clip,
  notes,
  current,
  loading,
  onNote,
  onClip,
  onAdd,
  onDraw,
  onCompare,
  drawing,
  $view,
  over,
  more,
  shapes,
  marks,
}: Props & { marks: Mark[]; notes: Pinned[]; shapes: readonly Shape[] }) {
  return (
    <div className="z-10 flex min-h-0 min-w-0 flex-col border-line bg-paper max-lg:sticky max-lg:top-0 max-lg:h-[55dvh] max-lg:shrink-0 max-lg:border-b lg:flex-1">
      <div className="min-h-0 flex-1">
        <Stage
          fill
          player={player}
          clip={clip}
          notes={notes.filter(n => n.video === clip.id)}
          current={current}
          onNote={onNote}
          {...{ drawing, $view, over, shapes, marks }}
          extra={
            <>
              <Button
                variant="secondary"
                size="sm"
                aria-keyshortcuts="D"
                disabled={loading}
                icon={<PencilLine aria-hidden="true" size={18} strokeWidth={1.75} />}
                onClick={onDraw}
                className="mr-1"
              >
                Draw
              </Button>
              <Button
                variant="secondary"
                size="sm"
                aria-keyshortcuts="M"
                disabled={loading}
                icon={<Plus aria-hidden="true" size={18} strokeWidth={2} />}
                onClick={afterPaint(onAdd)}
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
                onClick={afterPaint(onCompare)}
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
          onSelect={onClip}
          notes={id => notes.filter(n => n.video === id).length}
          className="shrink-0 border-t border-line p-2"
        />
      )}
    </div>
  )
})
