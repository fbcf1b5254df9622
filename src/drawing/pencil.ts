import { atom } from 'nanostores'
import { v7 } from 'uuid'
import type { Shape, Tool } from '../../modules/reviews/contract.ts'
import { type Point, packed, unpacked } from './points.ts'
import { type Aspect, handles, hit, moved, reshaped, stroke, withId } from './shapes.ts'

/** `select` moves and reshapes, `laser` leaves nothing. */
export type Instrument = Tool | 'select' | 'laser'
export const WIDTHS = [25, 45, 90] as const

/** Where a pointer is: on the picture, with how hard a pen presses (0 to 1). */
export interface Touch extends Point {
  pressure?: number
}

/** What a pencil draws on. */
export interface Paper {
  aspect(): Aspect
  frame(): number
  /** Frames that a new drawing holds and fades. */
  stay(): { hold: number; fade: number }
  /** Drawings that show now, the last on top. */
  shapes(): readonly Shape[]
  /** Size of a text, in units across and down. */
  label(shape: Shape): { width: number; height: number }
  make(shape: Shape): void
  change(before: Shape, after: Shape): void
  /** Something is drawn now: the picture has to stand still. */
  begin(): void
  /** A text was begun: ask for its words. */
  write(at: Point): void
}

/** A hand that shakes does not draw: shorter than this, in units, is a tap. */
const TAP = 40

type Act =
  | { is: 'drawing'; points: Touch[] }
  | { is: 'moving'; shape: Shape; from: Point }
  | { is: 'reshaping'; shape: Shape; handle: number }
  /** An angle's third point comes with a second press. */
  | { is: 'bending'; points: Point[] }

/** What one holds: pictures that are drawn on by turns share it. `$selected` is a drawing's id. */
export const createHand = () => ({
  $instrument: atom<Instrument | null>(null),
  $color: atom(0),
  $width: atom<number>(WIDTHS[1]),
  $selected: atom<string | undefined>(undefined),
})

/** Draws, moves and reshapes with what a pointer does. Knows no canvas: `$live` is what is under way, for whoever paints it. */
export function createPencil(paper: Paper, hand = createHand()) {
  const { $instrument, $color, $width, $selected } = hand
  /** The shape that is being drawn or changed; its points as they come. */
  const $live = atom<Shape | null>(null)
  const $laser = atom<readonly Point[]>([])
  let act: Act | undefined

  const fresh = (tool: Tool, p: number[]): Shape => ({
    id: v7(),
    tool,
    color: $color.get(),
    width: $width.get(),
    p,
    from: paper.frame(),
    ...paper.stay(),
  })
  const selected = () => withId($selected.get(), paper.shapes)
  const far = (a: Point, b: Point) => Math.hypot((a.x - b.x) * paper.aspect(), a.y - b.y)
  const end = () => {
    act = undefined
    $live.set(null)
    $laser.set([])
  }
  /** Straight up, down, across or halfway between; a circle round, a rectangle square. */
  const straight = (tool: Instrument, from: Point, to: Point): Point => {
    const aspect = paper.aspect()
    const [dx, dy] = [(to.x - from.x) * aspect, to.y - from.y]
    if (tool === 'circle' || tool === 'rectangle') {
      const side = Math.max(Math.abs(dx), Math.abs(dy))
      return { x: from.x + (Math.sign(dx) * side) / aspect, y: from.y + Math.sign(dy) * side }
    }
    const turn = Math.round(Math.atan2(dy, dx) / (Math.PI / 8)) * (Math.PI / 8)
    const length = Math.hypot(dx, dy)
    return { x: from.x + (Math.cos(turn) * length) / aspect, y: from.y + Math.sin(turn) * length }
  }

  /** `reach`: how far beside a thing a press still means it, in units of the height. */
  function down(at: Touch, reach: number) {
    const instrument = $instrument.get()
    if (!instrument) return
    if (instrument !== 'laser') paper.begin()
    if (act?.is === 'bending') {
      const points = [...act.points, at]
      const shape = fresh('angle', packed(points))
      end()
      paper.make(shape)
      return
    }
    if (instrument === 'select') {
      const chosen = selected()
      const handle = chosen ? handles(chosen).findIndex(h => far(h, at) <= reach) : -1
      if (chosen && handle >= 0) {
        act = { is: 'reshaping', shape: chosen, handle }
        return
      }
      const found = [...paper.shapes()]
        .reverse()
        .find(s => hit(s, at, reach, paper.aspect(), s.tool === 'text' ? paper.label(s) : undefined))
      $selected.set(found?.id)
      if (found) act = { is: 'moving', shape: found, from: at }
      return
    }
    if (instrument === 'text') return paper.write(at)
    act = { is: 'drawing', points: [at] }
    if (instrument === 'laser') $laser.set([at])
    // The first arm of an angle is a line, until its corner is there.
    else $live.set(fresh(instrument === 'angle' ? 'line' : instrument, packed([at, at])))
  }

  /** All that came since the last time, in order. `even`: Shift is held. */
  function move(touches: readonly Touch[], even = false) {
    const at = touches.at(-1)
    const instrument = $instrument.get()
    if (!at || !act || !instrument) return
    switch (act.is) {
      case 'moving':
        return $live.set(moved(act.shape, { x: at.x - act.from.x, y: at.y - act.from.y }))
      case 'reshaping': {
        const { shape, handle } = act
        const points = unpacked(shape.p)
        const other = shape.tool === 'angle' ? points[1]! : points[handle ? 0 : 1]!
        return $live.set(reshaped(shape, handle, even && other !== points[handle] ? straight(shape.tool, other, at) : at))
      }
      case 'bending':
        return $live.set(fresh('angle', packed([...act.points, at])))
      case 'drawing': {
        act.points.push(...touches)
        if (instrument === 'laser') return $laser.set([...act.points])
        const live = $live.get()!
        if (instrument === 'pen') {
          const z = pressuresOf(act.points)
          return $live.set({ ...live, p: packed(act.points), ...(z && { z: z.map(p => Math.round(p * 100)) }) })
        }
        const from = act.points[0]!
        return $live.set({ ...live, p: packed([from, even ? straight(instrument, from, at) : at]) })
      }
    }
  }

  function up() {
    if (!act) return
    const live = $live.get()
    switch (act.is) {
      case 'moving':
      case 'reshaping': {
        const before = act.shape
        end()
        if (live && live.p.join() !== before.p.join()) paper.change(before, live)
        return
      }
      case 'bending':
        return
      case 'drawing': {
        const { points } = act
        const instrument = $instrument.get()
        if (instrument === 'laser' || !live) return end()
        if (instrument === 'pen') {
          const shape = { ...live, ...stroke(points, pressuresOf(points), paper.aspect()) }
          end()
          return paper.make(shape)
        }
        const [from, to] = unpacked(live.p) as [Point, Point]
        if (far(from, to) < TAP) return end()
        if (instrument === 'angle') {
          // The first arm ends at the corner; the next press ends the second.
          act = { is: 'bending', points: [from, to] }
          return $live.set(fresh('line', packed([from, to])))
        }
        end()
        return paper.make(live)
      }
    }
  }

  const forget = (instrument: Instrument | null) => {
    end()
    if (instrument !== 'select') $selected.set(undefined)
  }
  $instrument.listen(forget)

  return {
    ...{ ...hand, $live, $laser },
    ...{ down, move, up },
    /** A second finger came, or Esc: what was under way is forgotten. */
    cancel: end,
    busy: () => act !== undefined,
    /** An angle waits for the end of its second arm. */
    bending: () => act?.is === 'bending',
    /** A hovering pointer shows where the second arm of an angle would be. */
    hover: (at: Touch) => act?.is === 'bending' && move([at]),
    choose(instrument: Instrument | null) {
      forget(instrument)
      $instrument.set(instrument)
    },
    /** A text's words, as they were written. */
    label(at: Point, text: string) {
      const words = text.trim()
      if (words) paper.make({ ...fresh('text', packed([at])), text: words })
    },
  }
}
export type Pencil = ReturnType<typeof createPencil>

/** Pressures of a pen; none where the device tells none. */
const pressuresOf = (points: readonly Touch[]) => (points[0]?.pressure === undefined ? undefined : points.map(p => p.pressure ?? 0.5))
