import { useStore } from '@nanostores/react'
import type { ReadableAtom, WritableAtom } from 'nanostores'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Shape } from '../../modules/reviews/contract.ts'
import { cx } from '../ui/cx.ts'
import { useDeferredStore } from '../ui/deferred-store.ts'
import { afterNextPaint } from '../ui/next-paint.ts'
import { Board } from './board.ts'
import type { Drawing } from './keys.ts'
import { pointing } from './pointing.ts'
import { placeOf, type View, whole } from './view.ts'

/** Drawings, or a store of them: what changes in it is painted, and nothing around it drawn anew. */
export type Shapes = readonly Shape[] | ReadableAtom<readonly Shape[]>
const isStore = (shapes: Shapes): shapes is ReadableAtom<readonly Shape[]> => 'listen' in shapes
const listOf = (shapes: Shapes) => (isStore(shapes) ? shapes.get() : shapes)

/**
 * The picture with what is drawn on it: larger with the wheel, two fingers or keys, moved by hand; with a pencil, drawn upon. `children` is
 * the <video>; it is moved along. A tap where nothing is drawn goes to `onTap`.
 */
export function Easel({
  $frame,
  $view,
  aspect,
  shapes,
  drawing,
  name = 'the picture',
  wheel = false,
  onTap,
  children,
}: {
  $frame: ReadableAtom<number>
  $view: WritableAtom<View>
  /** Width through height of the picture as shown. */
  aspect: number
  shapes: Shapes
  drawing?: Drawing | undefined
  /** What one draws on, for whoever does not see it. */
  name?: string
  /** The wheel alone makes it larger; elsewhere it scrolls the page, and needs Ctrl. */
  wheel?: boolean
  onTap: () => void
  children?: ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const lower = useRef<HTMLCanvasElement>(null)
  const upper = useRef<HTMLCanvasElement>(null)
  const moving = useRef<HTMLDivElement>(null)
  const latest = useRef({ aspect, shapes, drawing, onTap, wheel })
  latest.current = { aspect, shapes, drawing, onTap, wheel }
  const [board] = useState(() => {
    const now = () => ({ ...latest.current, shapes: listOf(latest.current.shapes), frame: $frame.get(), view: $view.get() })
    return new Board(now)
  })
  // To take another pen changes nothing here: it is a hand that points, or one that draws.
  const hand = useDeferredStore(drawing?.pencil.$instrument ?? none, it => it && (it === 'select' ? 'points' : 'draws'))
  const { scale } = useStore($view)

  useEffect(() => {
    const element = frame.current!
    board.attach(lower.current!, upper.current!)
    const move = () => {
      // A page that leaves takes the picture away before it stops telling its size.
      if (!moving.current) return
      const [rest, now] = [placeOf(board.box, latest.current.aspect, whole), board.place()]
      const scale = now.width / rest.width || 1
      moving.current.style.transform =
        scale === 1 ? '' : `translate(${now.left - scale * rest.left}px, ${now.top - scale * rest.top}px) scale(${scale})`
      board.repaint()
    }
    const sized = new ResizeObserver(() => {
      board.resize(element.clientWidth, element.clientHeight)
      move()
    })
    sized.observe(element)
    const stop = [$frame.listen(() => board.repaint()), $view.listen(move), pointing(element, board, $view, () => latest.current)]
    return () => {
      sized.disconnect()
      for (const end of stop) end()
    }
  }, [board, $frame, $view])

  const pencil = drawing?.pencil
  const $cursor = drawing?.$cursor
  useEffect(() => {
    if (!pencil || !$cursor) return
    // The press that takes the pencil shows first.
    const taken = () => afterNextPaint().then(() => board.pencil(pencil.$instrument.get() !== null))
    taken()
    const stores = [pencil.$live, pencil.$laser, pencil.$selected, $cursor]
    const stop = [pencil.$instrument.listen(taken), ...stores.map(store => (store as ReadableAtom<unknown>).listen(() => board.repaint()))]
    return () => {
      for (const end of stop) end()
    }
  }, [board, pencil, $cursor])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn has changed, so it is painted
  useEffect(() => {
    board.repaint()
    return isStore(shapes) ? shapes.listen(() => board.repaint()) : undefined
  }, [board, shapes, aspect])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: with a pencil it is an application that keys draw in
    <div
      ref={frame}
      {...(hand && {
        tabIndex: 0,
        role: 'application',
        'aria-roledescription': 'drawing board',
        'aria-label': `Draw on ${name}: arrow keys move the point, Enter begins and ends a line, Escape stops`,
      })}
      onKeyDown={hand ? drawing?.onKeyDown : undefined}
      data-easel
      className={cx(
        'absolute inset-0 top-(--room,0px) overflow-hidden focus-visible:outline-offset-[-3px]',
        hand ? 'touch-none' : scale > 1 || wheel ? 'touch-none' : 'touch-pan-y',
        hand && (hand === 'points' ? 'cursor-default' : 'cursor-crosshair'),
      )}
    >
      <div ref={moving} className="absolute inset-0 origin-top-left">
        {children}
      </div>
      <div aria-hidden="true" className="pointer-events-none absolute inset-0">
        <canvas ref={lower} data-drawn="" className="absolute inset-0 size-full" />
        <canvas ref={upper} className="absolute inset-0 size-full" />
      </div>
    </div>
  )
}

const none: ReadableAtom<null> = { get: () => null, listen: () => () => {}, subscribe: () => () => {}, value: null } as never
