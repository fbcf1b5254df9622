import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import { useEffect, useMemo, useRef, useState } from 'react'
import { v7 } from 'uuid'
import type { Draft, NoteKind, Video } from '../../../modules/folders/contract.ts'
import { NOTES_PER_REVIEW } from '../../../modules/folders/policy.ts'
import type { Shape } from '../../../modules/reviews/contract.ts'
import { HOLD_FRAMES } from '../../../modules/reviews/policy.ts'
import { toast } from '../../ui/toast.ts'
import { createActs } from '../drawing/acts.ts'
import { applied, type Change, createHistory } from '../drawing/history.ts'
import { createDrawing } from '../drawing/keys.ts'
import { tooMany } from '../drawing/limit.ts'
import { labelSize } from '../drawing/paint.ts'
import { createPencil, type Instrument } from '../drawing/pencil.ts'
import type { Point } from '../drawing/points.ts'
import { strength } from '../drawing/shapes.ts'
import type { Player } from '../folder/player.ts'
import type { Following } from '../voice/follow.ts'
import type { DraftKeeper } from './draft.ts'

type Note = Draft['notes'][number]
type NoteChange = Change & { note: string }
/** What the studio tells of itself at every moment. */
interface Studio {
  clip: Video | undefined
  /** Id of the note that is being written. */
  current: string | undefined
  kind: NoteKind
  /** The recording under way: what is drawn meanwhile is the voice's. */
  $act: ReadableAtom<Following | null>
  /** Shows a note as the current one. */
  onNote: (id: string) => void
}

/**
 * Drawing in the studio: what is drawn goes to the note that is being written, if it is on this frame, else to a new one. Everything can be
 * taken back; a note that a drawing made goes with it, unless it has words by then.
 */
export function useDrawing(keeper: DraftKeeper, player: Player, studio: Studio) {
  const latest = useRef(studio)
  latest.current = studio
  const [writing, setWriting] = useState<Point>()
  const last = useRef<Instrument>('pen')

  const made = useMemo(() => {
    /** Notes that a drawing made, as they began. */
    const begun = new Map<string, Note>()
    const fresh = (id: string): Note => ({ id, video: latest.current.clip!.id, ...player.pin(), kind: latest.current.kind, text: '' })
    const shapesOf = (notes: readonly Note[]) => notes.flatMap(n => n.shapes ?? [])
    const noteOf = (shape: string) => keeper.$draft.get().notes.find(n => n.shapes?.some(s => s.id === shape))?.id

    const put = (change: NoteChange) =>
      keeper.change(d => {
        const known = d.notes.some(n => n.id === change.note)
        const start = begun.get(change.note)
        const notes = known || !start || !change.after ? d.notes : [...d.notes, start]
        return {
          ...d,
          notes: notes.flatMap(n => {
            if (n.id !== change.note) return [n]
            const { shapes: before = [], ...rest } = n
            const shapes = applied(before, change)
            if (!shapes.length && begun.has(n.id) && !n.text) return []
            return [shapes.length ? { ...rest, shapes } : rest]
          }),
        }
      })
    const history = createHistory(put)

    function noteFor(): string | undefined {
      const { clip, current, onNote } = latest.current
      const { notes } = keeper.$draft.get()
      const here = player.$frame.get()
      const on = notes.find(n => n.id === current)
      if (on && on.video === clip?.id) {
        const at = player.frameOf(on)
        if (here >= at && here <= (on.until ?? at)) return on.id
      }
      const said = notes.length >= NOTES_PER_REVIEW ? `A review has at most ${NOTES_PER_REVIEW} notes.` : undefined
      const drawn = tooMany(keeper.$draft.get())
      if (!clip || said || drawn) {
        toast({ title: 'That is all that fits', description: `${said ?? drawn} Delete one first.` })
        return undefined
      }
      const id = v7()
      begun.set(id, fresh(id))
      onNote(id)
      return id
    }
    const act = () => latest.current.$act.get()
    const add = (shape: Shape) => {
      const spoken = act()
      if (spoken) return spoken.add(shape)
      const note = noteFor()
      if (note) history.do({ note, before: null, after: shape })
    }
    const change = (before: Shape, after: Shape) => {
      const spoken = act()
      if (spoken?.owns(before.id)) return spoken.change(before, after)
      const note = noteOf(before.id)
      if (note) history.do({ note, before, after })
    }
    const visible = () => {
      const [video, frame] = [latest.current.clip?.id, player.$frame.get()]
      const drawn = shapesOf(keeper.$draft.get().notes.filter(n => n.video === video))
      return [...drawn, ...(act()?.shown(video ?? '') ?? [])].filter(s => strength(s, frame) > 0)
    }

    const { acts, $stay, $copied, staying } = createActs({
      ...{ pencil: () => pencil, shown: visible, add, change, frame: () => player.$frame.get() },
      remove(shape) {
        const note = noteOf(shape.id)
        act()?.erase(shape.id)
        if (note) history.do({ note, before: shape, after: null })
      },
      undo: () => (act() ? act()!.undo() : void history.undo()),
      redo: () => void history.redo(),
      length: () => [player.$frames.get(), player.$length.get(), HOLD_FRAMES],
    })
    const pencil = createPencil({
      aspect: () => aspectOf(latest.current.clip),
      frame: () => player.$frame.get(),
      stay: staying,
      shapes: visible,
      label: shape => labelSize(shape, aspectOf(latest.current.clip)),
      make: add,
      change,
      begin: player.pause,
      write: setWriting,
    })
    return {
      ...{ pencil, acts, $stay, $copied },
      drawing: createDrawing(pencil, acts),
      /** Takes the pencil, the one of last time; or puts it away. */
      toggle: () => {
        if (pencil.$instrument.get()) return acts.done()
        player.pause()
        pencil.choose(last.current)
      },
    }
  }, [keeper, player])

  const { pencil } = made
  useEffect(
    () =>
      pencil.$instrument.listen(instrument => {
        if (instrument) last.current = instrument
      }),
    [pencil],
  )
  return { ...made, stay: useStore(made.$stay), writing, setWriting, pasteable: useStore(made.$copied).length > 0 }
}

/** Width through height of the picture as shown. */
export const aspectOf = (clip: Pick<Video, 'width' | 'height'> | undefined) =>
  clip?.width && clip.height ? clip.width / clip.height : 16 / 9
