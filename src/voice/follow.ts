import { atom, type ReadableAtom } from 'nanostores'
import { v7 } from 'uuid'
import type { Shape } from '../../modules/reviews/contract.ts'
import type { Pencil } from '../drawing/pencil.ts'
import { type Point, unpacked } from '../drawing/points.ts'
import type { View } from '../drawing/view.ts'
import type { Player } from '../player/player.ts'
import { createTrack, timesOf } from './track.ts'

export interface Followed {
  player: Pick<Player, '$frame' | '$time' | '$playing' | '$speed'>
  $view: ReadableAtom<View>
  /** Id of the clip on the stage. */
  $clip: ReadableAtom<string>
  pencil: Pick<Pencil, '$live'>
}

/** Writes down what is done on the stage from now on, by the clock of the recording. */
export function follow({ player, $view, $clip, pencil }: Followed, clock: () => number) {
  const track = createTrack({
    ...{ video: $clip.get(), frame: player.$frame.get(), playing: player.$playing.get() },
    ...{ rate: player.$speed.get(), view: $view.get() },
  })
  /** What is drawn now, and on which clip. */
  const $drawn = atom<readonly { shape: Shape; video: string }[]>([])
  let gone: Shape[] = []
  /** How the stroke under way grew. */
  let way: { point: Point; ms: number }[] = []
  let live: string | undefined
  const stop = [
    player.$playing.listen(playing => track[playing ? 'play' : 'pause'](clock(), player.$frame.get())),
    player.$time.listen(time => track.showed(clock(), player.$frame.get(), time)),
    player.$speed.listen(rate => track.rate(clock(), rate, player.$frame.get())),
    $clip.listen(video => track.clip(clock(), video, player.$frame.get())),
    $view.listen(view => track.view(clock(), view)),
    pencil.$live.listen(shape => {
      if (!shape) return
      if (shape.id !== live && shape.tool !== 'angle') way = []
      live = shape.id
      const points = unpacked(shape.p)
      // A pen's stroke grows by points; all else moves its last one.
      if (shape.tool !== 'pen') way.push({ point: points.at(-1)!, ms: clock() })
      else for (const point of points.slice(way.length)) way.push({ point, ms: clock() })
    }),
  ]

  function add(shape: Shape) {
    track.drew(shape, way.length ? timesOf(shape, way) : unpacked(shape.p).map(clock))
    way = []
    live = undefined
    $drawn.set([...$drawn.get(), { shape, video: $clip.get() }])
  }
  function erase(id: string) {
    const found = $drawn.get().find(s => s.shape.id === id)
    if (!found) return
    gone = [...gone, found.shape]
    track.erased(clock(), id)
    $drawn.set($drawn.get().filter(s => s !== found))
  }

  return {
    track,
    /** All that was drawn, what was taken back, too: it is seen until then. */
    shapes: () => [...gone, ...$drawn.get().map(s => s.shape)],
    /** What is on the picture of a clip now. */
    shown: (video: string) =>
      $drawn
        .get()
        .filter(s => s.video === video)
        .map(s => s.shape),
    owns: (id: string) => $drawn.get().some(s => s.shape.id === id),
    ...{ $drawn, add, erase },
    /** A drawing that was moved or recolored takes the place of what it was, at once. */
    change(before: Shape, after: Shape) {
      way = []
      erase(before.id)
      add({ ...after, id: v7() })
    },
    /** The last that was drawn is taken back. */
    undo: () => {
      const last = $drawn.get().at(-1)
      if (last) erase(last.shape.id)
    },
    stop: () => {
      for (const end of stop) end()
    },
  }
}
export type Following = ReturnType<typeof follow>
