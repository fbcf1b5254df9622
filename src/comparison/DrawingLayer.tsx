import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import type { Shape } from '../../modules/reviews/contract.ts'
import { DrawingStage } from '../drawing/DrawingStage.tsx'
import type { ShapeEditorWithKeyboard } from '../drawing/shape-editor-keyboard-cursor.ts'
import { cx } from '../ui/cx.ts'
import type { SyncedComparisonController } from './synced-comparison.ts'

const NO_SHAPES: readonly Shape[] = []

/**
 * The drawings on one clip, shown over its picture at their frames; with `drawing`, the viewer can draw there. `isCovered`: the other clip
 * lies on top of this one, so this layer ignores the pointer.
 */
export function DrawingLayer({
  comparer,
  side,
  shapes = NO_SHAPES,
  drawing,
  name,
  isCovered,
  wheel,
  children,
}: {
  comparer: SyncedComparisonController
  side: 0 | 1
  shapes: readonly Shape[] | undefined
  drawing?: ShapeEditorWithKeyboard | undefined
  name: string
  isCovered: boolean
  wheel: boolean
  children?: ReactNode
}) {
  useStore(comparer.$layoutVersion)
  const { left, top, width, height } = comparer.pictureRects()[side]
  if (!width || !height) return null
  return (
    <div data-side={side} className={cx('absolute', isCovered ? 'pointer-events-none' : 'z-1')} style={{ left, top, width, height }}>
      <DrawingStage
        $frame={comparer.$frameOfSide[side]!}
        $view={comparer.$view}
        aspect={width / height}
        {...{ shapes, name, wheel }}
        drawing={isCovered ? undefined : drawing}
        onTap={comparer.toggle}
      />
      {children}
    </div>
  )
}
