import { useStore } from '@nanostores/react'
import type { ReadableAtom, WritableAtom } from 'nanostores'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Shape } from '../../modules/reviews/contract.ts'
import { cx } from '../ui/cx.ts'
import { useStoreSelector } from '../ui/store-selector.ts'
import { attachDrawPanZoomListeners, type ScrubDragMovement } from './draw-pan-zoom-listeners.ts'
import { DrawingCanvasPainter } from './drawing-canvases.ts'
import type { ShapeEditorWithKeyboard } from './shape-editor-keyboard-cursor.ts'
import { fullViewport, pictureRect, type Viewport } from './viewport.ts'

/** Shapes, or a store of them. When the store changes, the canvas is repainted without re-rendering the component. */
export type ShapesOrStore = readonly Shape[] | ReadableAtom<readonly Shape[]>
const isStore = (shapes: ShapesOrStore): shapes is ReadableAtom<readonly Shape[]> => 'listen' in shapes
const currentShapes = (shapes: ShapesOrStore) => (isStore(shapes) ? shapes.get() : shapes)

/**
 * The picture with its drawings. The wheel or two fingers zoom it, dragging moves it while it is zoomed, and a shape editor draws on it.
 * `children` is the <video>, which moves with the picture. `onTap` is called for a tap while no drawing tool is selected.
 */
export function DrawingStage({
  $frame,
  $view,
  aspect,
  shapes,
  drawing,
  name = 'the picture',
  wheel = false,
  onTap,
  onScrub,
  children,
}: {
  $frame: ReadableAtom<number>
  $view: WritableAtom<Viewport>
  /** Width of the picture divided by its height. */
  aspect: number
  shapes: ShapesOrStore
  drawing?: ShapeEditorWithKeyboard | undefined
  /** The accessible name of the picture. */
  name?: string
  /** Whether the wheel zooms without Ctrl; by default it scrolls the page and zooms only with Ctrl. */
  wheel?: boolean
  onTap: () => void
  /** Called while a pointer drags without a tool and the picture is not zoomed. */
  onScrub?: ((drag: ScrubDragMovement) => void) | undefined
  children?: ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const lower = useRef<HTMLCanvasElement>(null)
  const upper = useRef<HTMLCanvasElement>(null)
  const movedLayer = useRef<HTMLDivElement>(null)
  const latest = useRef({ aspect, shapes, drawing, onTap, onScrub, wheel })
  latest.current = { aspect, shapes, drawing, onTap, onScrub, wheel }
  const [canvases] = useState(() => {
    const now = () => ({ ...latest.current, shapes: currentShapes(latest.current.shapes), frame: $frame.get(), view: $view.get() })
    return new DrawingCanvasPainter(now)
  })
  // Distinguishes only between selecting and drawing, so that choosing a different drawing tool does not re-render.
  const drawingMode = useStoreSelector(
    drawing?.shapeEditor.$instrument ?? noInstrument,
    it => it && (it === 'select' || it === 'follow' ? 'points' : 'draws'),
  )
  const { scale } = useStore($view)

  useEffect(() => {
    const element = frame.current!
    canvases.attach(lower.current!, upper.current!)
    const move = () => {
      // When the component unmounts, the observer may still report once after the element is gone.
      if (!movedLayer.current) return
      const [rest, now] = [pictureRect(canvases.box, latest.current.aspect, fullViewport), canvases.rect()]
      const scale = now.width / rest.width || 1
      movedLayer.current.style.transform =
        scale === 1 ? '' : `translate(${now.left - scale * rest.left}px, ${now.top - scale * rest.top}px) scale(${scale})`
      canvases.repaint()
    }
    const sized = new ResizeObserver(() => {
      canvases.resize(element.clientWidth, element.clientHeight)
      move()
    })
    sized.observe(element)
    const stop = [
      $frame.listen(() => canvases.repaint()),
      $view.listen(move),
      attachDrawPanZoomListeners(element, canvases, $view, () => latest.current),
    ]
    return () => {
      sized.disconnect()
      for (const end of stop) end()
    }
  }, [canvases, $frame, $view])

  const shapeEditor = drawing?.shapeEditor
  const $cursor = drawing?.$cursor
  useEffect(() => {
    if (!shapeEditor || !$cursor) return
    const updateIsDrawing = () => canvases.setDrawing(shapeEditor.$instrument.get() !== null)
    updateIsDrawing()
    const stores = [shapeEditor.$activeShape, shapeEditor.$laser, shapeEditor.$selected, $cursor]
    const stop = [
      shapeEditor.$instrument.listen(updateIsDrawing),
      ...stores.map(store => (store as ReadableAtom<unknown>).listen(() => canvases.repaint())),
    ]
    return () => {
      for (const end of stop) end()
    }
  }, [canvases, shapeEditor, $cursor])

  // biome-ignore lint/correctness/useExhaustiveDependencies: changed shapes have to be repainted
  useEffect(() => {
    canvases.repaint()
    return isStore(shapes) ? shapes.listen(() => canvases.repaint()) : undefined
  }, [canvases, shapes, aspect])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: while a drawing tool is selected, it has the role "application" and handles keys
    <div
      ref={frame}
      {...(drawingMode && {
        tabIndex: 0,
        role: 'application',
        'aria-roledescription': 'drawing board',
        'aria-label': `Draw on ${name}: arrow keys move the point, Enter begins and ends a line, Escape stops`,
      })}
      onKeyDown={drawingMode ? drawing?.onKeyDown : undefined}
      data-drawing-stage
      className={cx(
        'absolute inset-0 top-(--room,0px) overflow-hidden focus-visible:outline-offset-[-3px]',
        drawingMode ? 'touch-none' : scale > 1 || wheel ? 'touch-none' : 'touch-pan-y',
        drawingMode && (drawingMode === 'points' ? 'cursor-default' : 'cursor-crosshair'),
      )}
    >
      <div ref={movedLayer} className="absolute inset-0 origin-top-left">
        {children}
      </div>
      <div aria-hidden="true" className="pointer-events-none absolute inset-0">
        <canvas ref={lower} data-drawn="" className="absolute inset-0 size-full" />
        <canvas ref={upper} className="absolute inset-0 size-full" />
      </div>
    </div>
  )
}

const noInstrument: ReadableAtom<null> = { get: () => null, listen: () => () => {}, subscribe: () => () => {}, value: null } as never
