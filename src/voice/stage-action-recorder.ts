import { atom, type ReadableAtom } from 'nanostores'
import { v7 } from 'uuid'
import type { Shape } from '../../modules/reviews/contract.ts'
import { decodePoints, type Point } from '../drawing/point-encoding-and-simplification.ts'
import type { ShapeEditor } from '../drawing/shape-editor.ts'
import type { Viewport } from '../drawing/viewport.ts'
import type { VideoPlayer } from '../player/video-player.ts'
import { createActionTrack, timesOfSimplifiedStrokePoints } from './collect-and-limit-voice-actions.ts'

/** The parts of a stage that a recording observes. */
export interface RecordableStage {
  player: Pick<VideoPlayer, '$frame' | '$time' | '$playing' | '$speed'>
  $view: ReadableAtom<Viewport>
  /** Id of the clip on the stage. */
  $clip: ReadableAtom<string>
  shapeEditor: Pick<ShapeEditor, '$activeShape'>
}

/**
 * Records what the instructor does on the stage (play, seek, zoom, draw, switch clips) as actions. Their times come from `clock`, which
 * returns the position in the sound recording in ms. Recording starts at the call and ends with `stop()`.
 */
export function createStageActionRecorder({ player, $view, $clip, shapeEditor }: RecordableStage, clock: () => number) {
  const track = createActionTrack({
    video: $clip.get(),
    frame: player.$frame.get(),
    playing: player.$playing.get(),
    rate: player.$speed.get(),
    view: $view.get(),
  })
  /** Drawings made during this recording and not erased, each with its clip. */
  const $drawn = atom<readonly { shape: Shape; video: string }[]>([])
  let erasedShapes: Shape[] = []
  /** The points of the current stroke, with the times at which they were added. */
  let timedPoints: { point: Point; ms: number }[] = []
  let activeShapeId: string | undefined
  const unsubscribes = [
    player.$playing.listen(playing => track[playing ? 'play' : 'pause'](clock(), player.$frame.get())),
    player.$time.listen(time => track.frameShown(clock(), player.$frame.get(), time)),
    player.$speed.listen(rate => track.rate(clock(), rate, player.$frame.get())),
    $clip.listen(video => track.clip(clock(), video, player.$frame.get())),
    $view.listen(view => track.view(clock(), view)),
    shapeEditor.$activeShape.listen(shape => {
      if (!shape) return
      if (shape.id !== activeShapeId && shape.tool !== 'angle') timedPoints = []
      activeShapeId = shape.id
      const points = decodePoints(shape.p)
      // A pen stroke gains points; other tools move their last point.
      if (shape.tool !== 'pen') timedPoints.push({ point: points.at(-1)!, ms: clock() })
      else for (const point of points.slice(timedPoints.length)) timedPoints.push({ point, ms: clock() })
    }),
  ]

  function add(shape: Shape) {
    track.strokeDrawn(shape, timedPoints.length ? timesOfSimplifiedStrokePoints(shape, timedPoints) : decodePoints(shape.p).map(clock))
    timedPoints = []
    activeShapeId = undefined
    $drawn.set([...$drawn.get(), { shape, video: $clip.get() }])
  }
  function erase(id: string) {
    const drawnStroke = $drawn.get().find(s => s.shape.id === id)
    if (!drawnStroke) return
    erasedShapes = [...erasedShapes, drawnStroke.shape]
    track.strokeErased(clock(), id)
    $drawn.set($drawn.get().filter(s => s !== drawnStroke))
  }

  return {
    track,
    /** All drawings of the recording, including erased ones, which the replay shows until the moment they are erased. */
    shapes: () => [...erasedShapes, ...$drawn.get().map(s => s.shape)],
    /** Drawings of this recording that are on a clip now. */
    shapesOn: (video: string) =>
      $drawn
        .get()
        .filter(s => s.video === video)
        .map(s => s.shape),
    hasShape: (id: string) => $drawn.get().some(s => s.shape.id === id),
    $drawn,
    add,
    erase,
    /** Records a moved or recolored drawing as erasing it and adding a new one at the same moment. */
    change(before: Shape, after: Shape): Shape {
      timedPoints = []
      erase(before.id)
      const changed = { ...after, id: v7() }
      add(changed)
      return changed
    },
    /** Erases the last drawing. */
    undo: () => {
      const last = $drawn.get().at(-1)
      if (last) erase(last.shape.id)
    },
    stop: () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
    },
  }
}
export type StageActionRecorder = ReturnType<typeof createStageActionRecorder>
