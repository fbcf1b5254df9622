import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useEffect, useMemo, useRef, useState } from 'react'
import { realTimeOfFrames } from '../../modules/progress/real-time-of-frames.ts'
import type { Comparison, Shape } from '../../modules/reviews/contract.ts'
import { MAX_SHAPE_HOLD_FRAMES } from '../../modules/reviews/policy.ts'
import type { AutosavingDraftStore } from '../draft/autosaved-draft.ts'
import { createCurrentTool, type ToolbarTool } from '../drawing/current-tool.ts'
import { createDrawingToolbarCommands } from '../drawing/drawing-toolbar-commands.ts'
import { createFollowToolKeyframeStore } from '../drawing/follow-tool-keyframe-state.ts'
import type { Point } from '../drawing/point-encoding-and-simplification.ts'
import { reviewShapeLimitMessage } from '../drawing/review-shape-limit.ts'
import { createShapeEditor } from '../drawing/shape-editor.ts'
import { addKeyboardToShapeEditor } from '../drawing/shape-editor-keyboard-cursor.ts'
import { shapeOpacityAtFrame } from '../drawing/shape-geometry.ts'
import { measureShapeText } from '../drawing/shape-text-font-and-size.ts'
import { applyChangeToShapes, createUndoHistory, type ShapeChange } from '../drawing/undo-history.ts'
import { toast } from '../ui/toast.ts'
import type { LabeledClipPair } from './labeled-clips.ts'
import type { SyncedComparisonController } from './synced-comparison.ts'

type SideIndex = 0 | 1
type SideChange = ShapeChange & { side: SideIndex }
export type ComparisonDrawing = ReturnType<typeof useComparisonDrawing>

/** The side with these drawings. An empty list is omitted, so that the side equals one that never had drawings. */
const withShapes = ({ shapes: _, ...side }: Comparison['sides'][number], shapes: Shape[]) => (shapes.length ? { ...side, shapes } : side)

/** Width divided by height of the picture on one side of a comparison; 16:9 as long as it is not shown. */
export function aspectRatioOfComparedSide(comparer: SyncedComparisonController, side: SideIndex): number {
  const { width, height } = comparer.pictureRects()[side]
  return width && height ? width / height : 16 / 9
}

/**
 * Lets the instructor draw on both clips of a comparison with one set of tools. Each drawing is stored with the clip that it is on, and
 * starts at that clip's current frame.
 */
export function useComparisonDrawing(
  autosavedDraft: AutosavingDraftStore,
  comparer: SyncedComparisonController,
  id: string,
  pair: LabeledClipPair,
) {
  const latest = useRef(pair)
  latest.current = pair
  const [writing, setWriting] = useState<{ side: SideIndex; at: Point }>()
  const last = useRef<ToolbarTool>('pen')

  const controller = useMemo(() => {
    // The newer clip is usually the one under review, so drawing starts on it.
    const $side = atom<SideIndex>(latest.current[0].clip.added > latest.current[1].clip.added ? 0 : 1)
    const sides = () => autosavedDraft.$draft.get().comparisons?.find(c => c.id === id)?.sides
    const shapesOf = (side: SideIndex) => sides()?.[side].shapes ?? []
    const frameOf = (side: SideIndex) => comparer.$dueFrames.get()[side]
    const shownOf = (side: SideIndex) => shapesOf(side).filter(s => shapeOpacityAtFrame(s, frameOf(side)) > 0)
    const aspectOf = (side: SideIndex) => aspectRatioOfComparedSide(comparer, side)
    const history = createUndoHistory<SideChange>(change =>
      autosavedDraft.change(d => ({
        ...d,
        comparisons: (d.comparisons ?? []).map(c =>
          c.id === id
            ? {
                ...c,
                sides: c.sides.map((s, i) =>
                  i === change.side ? withShapes(s, applyChangeToShapes(s.shapes ?? [], change)) : s,
                ) as Comparison['sides'],
              }
            : c,
        ),
      })),
    )
    const add = (side: SideIndex, shape: Shape): boolean => {
      const refused = reviewShapeLimitMessage(autosavedDraft.$draft.get())
      if (refused) toast({ title: 'Limit reached', description: `${refused} Delete one first.` })
      else history.do({ side, before: null, after: shape })
      return !refused
    }
    const owner = (shape: Shape): SideIndex => (shapesOf(0).some(s => s.id === shape.id) ? 0 : 1)
    const change = (before: Shape, after: Shape): Shape => {
      history.do({ side: owner(before), before, after })
      return after
    }

    const currentTool = createCurrentTool()
    const { acts, $shapeDuration, $copied, newShapeDuration } = createDrawingToolbarCommands({
      shapeEditor: () => shapeEditors[$side.get()],
      shown: () => [...shownOf(0), ...shownOf(1)],
      add: shape => add($side.get(), shape),
      change,
      remove: shape => history.do({ side: owner(shape), before: shape, after: null }),
      undo: () => void history.undo(),
      redo: () => void history.redo(),
      asOneStep: history.asOneStep,
      frame: () => frameOf($side.get()),
      showFrame: frame => comparer.seek(comparer.timeOfFrame($side.get(), frame)),
      length: () => {
        const { clip } = latest.current[$side.get()]
        return [comparer.frameCounts()[$side.get()], clip.media?.milliseconds ?? clip.milliseconds, MAX_SHAPE_HOLD_FRAMES]
      },
    })
    const shapeEditorOf = (side: SideIndex) =>
      createShapeEditor(
        {
          aspect: () => aspectOf(side),
          frame: () => frameOf(side),
          stay: newShapeDuration,
          shapes: () => shownOf(side),
          labelSize: shape => measureShapeText(shape, aspectOf(side)),
          make: shape => add(side, shape),
          change,
          allShapes: () => shapesOf(side),
          realTime: (from, to) => {
            const start = realTimeOfFrames({ media: latest.current[side].clip.media ?? null })
            return start && start(to) - start(from)
          },
          advance: () => comparer.step(1),
          begin() {
            $side.set(side)
            comparer.pause()
          },
          write: at => setWriting({ side, at }),
        },
        currentTool,
      )
    const shapeEditors = [shapeEditorOf(0), shapeEditorOf(1)] as const
    const $keyframes = createFollowToolKeyframeStore(
      [currentTool.$instrument, currentTool.$selected, autosavedDraft.$draft, comparer.$dueFrames],
      () => {
        const shape = shapeEditors[0].followed() ?? shapeEditors[1].followed()
        return { shape, frame: frameOf(shape ? owner(shape) : $side.get()) }
      },
    )
    return {
      $side,
      $shapeDuration,
      $copied,
      $keyframes,
      acts,
      shapeEditors,
      $instrument: currentTool.$instrument,
      drawings: shapeEditors.map(shapeEditor => addKeyboardToShapeEditor(shapeEditor, acts)),
      /** Starts drawing with the most recently used tool, or stops drawing. */
      toggle() {
        if (currentTool.$instrument.get()) return acts.done()
        comparer.pause()
        currentTool.$instrument.set(last.current)
        // The drawing keys only work while the picture has the focus.
        setTimeout(() => document.querySelector<HTMLElement>(`[data-side="${$side.get()}"] [role=application]`)?.focus())
      },
    }
  }, [autosavedDraft, comparer, id])

  const { $instrument, shapeEditors, acts } = controller
  useEffect(
    () =>
      $instrument.listen(instrument => {
        if (instrument && instrument !== 'select' && instrument !== 'follow') last.current = instrument
      }),
    [$instrument],
  )
  const stay = useStore(controller.$shapeDuration)
  const pasteable = useStore(controller.$copied).length > 0
  return {
    drawings: controller.drawings,
    toggle: controller.toggle,
    acts,
    writing,
    instrument: useStore($instrument),
    side: useStore(controller.$side),
    onSide: (side: SideIndex) => controller.$side.set(side),
    tools: { shapeEditor: shapeEditors[0], acts, stay, pasteable, $keyframes: controller.$keyframes },
    write(text: string) {
      if (!writing) return
      setWriting(undefined)
      shapeEditors[writing.side].addText(writing.at, text)
    },
  }
}
