import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Comparison, Shape } from '../../modules/reviews/contract.ts'
import { HOLD_FRAMES } from '../../modules/reviews/policy.ts'
import type { DraftKeeper } from '../draft/draft.ts'
import { createActs } from '../drawing/acts.ts'
import { applied, type Change, createHistory } from '../drawing/history.ts'
import { createDrawing } from '../drawing/keys.ts'
import { tooMany } from '../drawing/limit.ts'
import { labelSize } from '../drawing/paint.ts'
import { createHand, createPencil, type Instrument } from '../drawing/pencil.ts'
import type { Point } from '../drawing/points.ts'
import { strength } from '../drawing/shapes.ts'
import { toast } from '../ui/toast.ts'
import type { Comparer } from './comparer.ts'
import type { NamedPair } from './named.ts'

type Which = 0 | 1
type SideChange = Change & { side: Which }
export type ComparedDrawing = ReturnType<typeof useComparedDrawing>

/** The side with these drawings; none is no list at all, as in comparisons that never had one. */
const withShapes = ({ shapes: _, ...side }: Comparison['sides'][number], shapes: Shape[]) => (shapes.length ? { ...side, shapes } : side)

/** Drawing on both clips of a comparison, with one hand: each drawing belongs to the clip it is on, and to the frame shown of it. */
export function useComparedDrawing(keeper: DraftKeeper, comparer: Comparer, id: string, pair: NamedPair) {
  const latest = useRef(pair)
  latest.current = pair
  const [writing, setWriting] = useState<{ side: Which; at: Point }>()
  const last = useRef<Instrument>('pen')

  const made = useMemo(() => {
    // The newer of the two is what one speaks about.
    const $side = atom<Which>(latest.current[0].clip.added > latest.current[1].clip.added ? 0 : 1)
    const sides = () => keeper.$draft.get().comparisons?.find(c => c.id === id)?.sides
    const shapesOf = (side: Which) => sides()?.[side].shapes ?? []
    const frameOf = (side: Which) => comparer.$frames.get()[side]
    const shownOf = (side: Which) => shapesOf(side).filter(s => strength(s, frameOf(side)) > 0)
    const aspectOf = (side: Which) => {
      const { width, height } = comparer.places()[side]
      return width && height ? width / height : 16 / 9
    }
    const history = createHistory<SideChange>(change =>
      keeper.change(d => ({
        ...d,
        comparisons: (d.comparisons ?? []).map(c =>
          c.id === id
            ? {
                ...c,
                sides: c.sides.map((s, i) =>
                  i === change.side ? withShapes(s, applied(s.shapes ?? [], change)) : s,
                ) as Comparison['sides'],
              }
            : c,
        ),
      })),
    )
    const add = (side: Which, shape: Shape) => {
      const refused = tooMany(keeper.$draft.get())
      if (refused) toast({ title: 'That is all that fits', description: `${refused} Delete one first.` })
      else history.do({ side, before: null, after: shape })
    }
    const owner = (shape: Shape): Which => (shapesOf(0).some(s => s.id === shape.id) ? 0 : 1)
    const change = (before: Shape, after: Shape) => history.do({ side: owner(before), before, after })

    const hand = createHand()
    const { acts, $stay, $copied, staying } = createActs({
      pencil: () => pencils[$side.get()],
      shown: () => [...shownOf(0), ...shownOf(1)],
      add: shape => add($side.get(), shape),
      change,
      remove: shape => history.do({ side: owner(shape), before: shape, after: null }),
      undo: () => void history.undo(),
      redo: () => void history.redo(),
      together: history.together,
      frame: () => frameOf($side.get()),
      length: () => {
        const { clip } = latest.current[$side.get()]
        return [comparer.counts()[$side.get()], clip.media?.milliseconds ?? clip.milliseconds, HOLD_FRAMES]
      },
    })
    const pencilOf = (side: Which) =>
      createPencil(
        {
          aspect: () => aspectOf(side),
          frame: () => frameOf(side),
          stay: staying,
          shapes: () => shownOf(side),
          label: shape => labelSize(shape, aspectOf(side)),
          make: shape => add(side, shape),
          change,
          begin() {
            $side.set(side)
            comparer.pause()
          },
          write: at => setWriting({ side, at }),
        },
        hand,
      )
    const pencils = [pencilOf(0), pencilOf(1)] as const
    return {
      ...{ $side, $stay, $copied, acts, pencils },
      $instrument: hand.$instrument,
      drawings: pencils.map(pencil => createDrawing(pencil, acts)),
      /** Takes the pencil, the one of last time; or puts it away. */
      toggle() {
        if (hand.$instrument.get()) return acts.done()
        comparer.pause()
        hand.$instrument.set(last.current)
        // Keys draw on the picture itself.
        setTimeout(() => document.querySelector<HTMLElement>(`[data-side="${$side.get()}"] [role=application]`)?.focus())
      },
    }
  }, [keeper, comparer, id])

  const { $instrument, pencils, acts } = made
  useEffect(
    () =>
      $instrument.listen(instrument => {
        if (instrument && instrument !== 'select') last.current = instrument
      }),
    [$instrument],
  )
  const stay = useStore(made.$stay)
  const pasteable = useStore(made.$copied).length > 0
  return {
    ...{ drawings: made.drawings, toggle: made.toggle, acts, writing },
    instrument: useStore($instrument),
    side: useStore(made.$side),
    onSide: (side: Which) => made.$side.set(side),
    tools: { pencil: pencils[0], acts, stay, pasteable },
    /** A text's words, as they were written. */
    write(text: string) {
      if (!writing) return
      setWriting(undefined)
      pencils[writing.side].label(writing.at, text)
    },
  }
}
