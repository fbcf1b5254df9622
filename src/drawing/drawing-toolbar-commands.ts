import { atom } from 'nanostores'
import { v7 } from 'uuid'
import type { Shape } from '../../modules/reviews/contract.ts'
import { keyframesOf, shiftShapeToStartFrame, withDurationAfterLastChange, withoutKeyframe } from './animated-shape-edits.ts'
import { holdAndFadeFrames, type ShapeDuration } from './shape-duration.ts'
import type { ShapeEditor } from './shape-editor.ts'
import { findShapeById } from './shape-geometry.ts'

/** What the actions need from the document that contains the shapes. */
interface DrawingDocument {
  shapeEditor: () => ShapeEditor
  /** The shapes visible at the current frame, the topmost last. */
  shown: () => readonly Shape[]
  /** Adds a shape, or tells the user why it cannot be added. Returns whether it was added. */
  add: (shape: Shape) => boolean
  change: (before: Shape, after: Shape) => void
  remove: (shape: Shape) => void
  undo: () => void
  redo: () => void
  /** All changes made by `act` are undone in one step. */
  asOneStep: (act: () => void) => void
  /** The current frame, at which pasted shapes start. */
  frame: () => number
  showFrame: (frame: number) => void
  /** The number of frames of the video, its length in ms, and the maximum number of frames for a shape. */
  length: () => readonly [number, number, number]
}

/** The actions of the drawing toolbar and its keys. */
export interface DrawingToolbarCommands {
  undo: () => void
  redo: () => void
  copy: () => void
  paste: () => void
  remove: () => void
  setColor: (color: number) => void
  setWidth: (width: number) => void
  setDuration: (stay: ShapeDuration) => void
  /** Removes the keyframe of the selected shape at the current frame. */
  removeKeyframe: () => void
  /** Shows the frame of the selected shape's next or previous keyframe. */
  toKeyframe: (direction: 1 | -1) => void
  /** Handles Escape: cancels the gesture in progress, if any; otherwise clears the selection, if any; otherwise stops drawing. */
  leave: () => void
  done: () => void
}

/** Creates the toolbar's actions. `$shapeDuration` is how long the next shape stays on the picture; `$copied` is the clipboard. */
export function createDrawingToolbarCommands({ shapeEditor, shown, frame, length, ...store }: DrawingDocument) {
  const $shapeDuration = atom<ShapeDuration>('one')
  const $copied = atom<readonly Shape[]>([])
  const selected = () => shapeEditor().followed() ?? findShapeById(shapeEditor().$selected.get(), shown)
  const edit = (edited: (shape: Shape) => Shape) => {
    const shape = selected()
    if (shape) store.change(shape, edited(shape))
  }
  const acts: DrawingToolbarCommands = {
    undo: store.undo,
    redo: store.redo,
    copy() {
      const shape = selected()
      const copiedShapes = shape ? [shape] : shown()
      if (copiedShapes.length) $copied.set(copiedShapes)
    },
    paste() {
      store.asOneStep(() => {
        for (const shape of $copied.get()) {
          // What refused one shape would refuse the rest as well, each with the same message.
          if (!store.add({ ...shiftShapeToStartFrame(shape, frame(), length()[0]), id: v7() })) break
        }
      })
    },
    remove() {
      const shape = selected()
      if (shape) store.remove(shape)
      shapeEditor().$selected.set(undefined)
    },
    setColor: color => edit(shape => ({ ...shape, color })),
    setWidth: width => edit(shape => ({ ...shape, width })),
    setDuration(to) {
      $shapeDuration.set(to)
      edit(shape => withDurationAfterLastChange(shape, holdAndFadeFrames(to, ...length())))
    },
    removeKeyframe: () => edit(shape => withoutKeyframe(shape, frame())),
    toKeyframe(direction) {
      const frames = keyframesOf(selected() ?? { from: frame(), p: [] }).map(k => k.frame)
      const next = direction > 0 ? frames.find(f => f > frame()) : frames.findLast(f => f < frame())
      if (next !== undefined) store.showFrame(next)
    },
    leave() {
      if (shapeEditor().busy()) shapeEditor().cancel()
      else if (shapeEditor().$selected.get()) shapeEditor().$selected.set(undefined)
      else acts.done()
    },
    done: () => shapeEditor().choose(null),
  }
  return { acts, $shapeDuration, $copied, newShapeDuration: () => holdAndFadeFrames($shapeDuration.get(), ...length()) }
}
