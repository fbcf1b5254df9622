import { useStore } from '@nanostores/react'
import { ChevronLeft, ChevronRight, Maximize, Minimize, Pause, Play, Repeat } from 'lucide-react'
import { atom, type ReadableAtom, type WritableAtom } from 'nanostores'
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Note, Video } from '../../modules/folders/contract.ts'
import { IS_WEBKIT_GSTREAMER } from '../browser-quirks/gstreamer-frame-length-guess.ts'
import { PausedFrameCanvas } from '../browser-quirks/PausedFrameCanvas.tsx'
import { DrawingStage, type ShapesOrStore } from '../drawing/DrawingStage.tsx'
import type { ShapeEditorWithKeyboard } from '../drawing/shape-editor-keyboard-cursor.ts'
import { fullViewport, type Viewport } from '../drawing/viewport.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { SpeedSelect } from '../ui/speed-select.tsx'
import { useStoreSelector } from '../ui/store-selector.ts'
import { aspectRatioOf } from './aspect-ratio-of-clip.ts'
import { FilmstripScrubber, type FrameMark, type KeyframeMarks } from './FilmstripScrubber.tsx'
import { useControlsShown, useFullScreen } from './full-screen.ts'
import { useKeepStageInViewAfterRotation } from './keep-stage-in-view-after-rotation.ts'
import { NearestStill } from './NearestStill.tsx'
import { PreparingBadge } from './PreparingBadge.tsx'
import { createPictureDragScrubber } from './picture-drag-scrubber.ts'
import { PLAYBACK_SPEEDS } from './playback-speeds.ts'
import { loopMatchesRange } from './player-state-and-selectors.ts'
import { STAGE_MAX_HEIGHT_CLASSES } from './StageSkeleton.tsx'
import { DRAWING_TOOLS_ROOM_CLASSES, EXTRA_CONTROLS_CLASSES, FILLED_STAGE_CLASSES, FULL_SCREEN_CLASSES } from './stage-classes.ts'
import { TimeAndFrameDisplay } from './TimeAndFrameDisplay.tsx'
import { useFilmstrip } from './use-filmstrip-image.ts'
import { VideoStatusOverlay } from './VideoStatusOverlay.tsx'
import type { VideoPlayer } from './video-player.ts'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

function PlayButton({ player, isHidden, className }: { player: VideoPlayer; isHidden: boolean; className?: string | false }) {
  const playing = useStore(player.$playing)
  return (
    <IconButton
      variant="ink"
      label={playing ? 'Pause' : 'Play'}
      onClick={player.toggle}
      className={cx('rounded-full! sm:mr-1', isHidden && 'invisible', className)}
    >
      {playing ? <Pause {...ICON} fill="currentColor" /> : <Play {...ICON} fill="currentColor" className="translate-x-px" />}
    </IconButton>
  )
}

/**
 * Toggles a loop: over a range of frames or, without a range, over the whole video. Starts playing at the start of the range or at the
 * current frame.
 */
function LoopButton({ player, part }: { player: VideoPlayer; part: { from: number; to: number } | undefined }) {
  const loop = useStore(player.$loop)
  const last = useStore(player.$frames) - 1
  const looping = loop !== null
  const looped = (looping ? loop.whole : !part) ? 'the video' : 'this part'
  return (
    <IconButton
      label={looping ? `Stop looping ${looped}` : `Loop ${looped}`}
      aria-pressed={looping}
      disabled={last < 1}
      onClick={() => {
        player.$loop.set(looping ? null : (part ?? { from: 0, to: last, whole: true }))
        // Not `play`, because callers wrap `goTo` but not `play`: in the studio `goTo` first pauses a voice-over
        // (`createVoiceOverPausingPlayer`), and in a delivered review it first ends the playback (`stagePlayer`).
        if (!looping) player.goTo({ frame: part?.from ?? player.$frame.get(), play: true })
      }}
      className={cx(looping && 'bg-field-wash text-field')}
    >
      <Repeat {...ICON} />
    </IconButton>
  )
}

const SpeedControl = ({ player }: { player: VideoPlayer }) => (
  <SpeedSelect
    label="Speed"
    value={useStore(player.$speed)}
    speeds={PLAYBACK_SPEEDS}
    onChange={player.setSpeed}
    className="w-16 sm:w-18 short:w-16"
  />
)

const ALWAYS_FALSE = atom(false)
const NO_SHAPES: ShapesOrStore = []
const NO_NOTES: Note[] = []

/**
 * A video with everything needed to study a swing: the strip with its notes, frame steps, slow motion, and full screen. Each button
 * subscribes to its own store, so that a new frame renders only the components that show it.
 */
export function Stage({
  player,
  clip,
  notes = NO_NOTES,
  shapes = NO_SHAPES,
  current,
  onNote,
  onStripDoubleClick,
  marks,
  $keyframes,
  extraControls,
  drawing,
  pictureOverlay,
  caption,
  timeline,
  steps,
  speed,
  isPlayHidden = false,
  maxHeight = STAGE_MAX_HEIGHT_CLASSES,
  $view: sharedView,
  fill = false,
  $takesScreen,
}: {
  player: VideoPlayer
  clip: Video
  notes?: Note[]
  /** Drawings on this clip. */
  shapes?: ShapesOrStore
  /** Id of the selected note. */
  current?: string
  onNote?: (note: Note) => void
  /** Called on a double click on the strip, which has already moved the player to the clicked frame. */
  onStripDoubleClick?: () => void
  /** Technique positions and likely contacts on this clip. */
  marks?: FrameMark[] | undefined
  /** The keyframes of the selected drawing. */
  $keyframes?: ReadableAtom<KeyframeMarks | null> | undefined
  /** Additional controls, before the speed control. */
  extraControls?: ReactNode
  /** Lets the viewer draw on the picture. */
  drawing?: ShapeEditorWithKeyboard
  /** Shown over the picture, such as the drawing tools in the studio. */
  pictureOverlay?: ReactNode
  /** Shown between the picture and the controls, such as the text of the current note. */
  caption?: ReactNode
  /** Replaces the strip of frames. */
  timeline?: ReactNode
  /** Replaces the buttons for frame steps and the loop. */
  steps?: ReactNode
  /** Replaces the speed control of the clip. */
  speed?: ReactNode
  /** Hides the stage's play button but keeps its space, because another play button is on the screen. */
  isPlayHidden?: boolean
  /** Classes that limit the height of the picture. */
  maxHeight?: string
  /** The visible part of the picture, if the caller needs it; by default the stage creates its own store. */
  $view?: WritableAtom<Viewport>
  /** Fills the available height, as in the studio, instead of using the video's own height. */
  fill?: boolean
  /** While this is true, the stage covers the whole window. */
  $takesScreen?: ReadableAtom<boolean> | undefined
}) {
  const stage = useRef<HTMLElement>(null)
  const [$view] = useState(() => sharedView ?? atom<Viewport>(fullViewport))
  const aspect = aspectRatioOf(clip)
  const status = useStore(player.$status)
  const selected = notes.find(n => n.id === current)
  const [from, to] = [selected?.frame, selected?.until]
  const part = from !== undefined && to !== undefined ? { from, to } : undefined
  const stills = useFilmstrip(player, clip)
  // Selecting another note ends the loop over a range; loading another video ends every loop. Neither ends a loop over the range of the
  // newly selected note: while a review plays, its playback sets that loop before these effects run.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the selected note's range must run this
  useEffect(() => {
    const loop = player.$loop.get()
    if (!loop?.whole && !loopMatchesRange(loop, part)) player.$loop.set(null)
  }, [player, from, to])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the video must run this
  useEffect(() => {
    if (!loopMatchesRange(player.$loop.get(), part)) player.$loop.set(null)
  }, [player, clip.id])
  useEffect(() => player.load(clip), [player, clip])
  const takesScreen = useStoreSelector($takesScreen ?? ALWAYS_FALSE, it => it)
  const { isFull, isOverPage, toggle: toggleFullScreen } = useFullScreen(stage, takesScreen)
  const areControlsShown = useControlsShown(
    stage,
    useStoreSelector(player.$playing, isPlaying => isFull && isPlaying),
  )
  useKeepStageInViewAfterRotation(stage)
  const scrub = useMemo(() => createPictureDragScrubber(player), [player])
  const fills = fill || isOverPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the clip resets the zoom
  useEffect(() => $view.set(fullViewport), [$view, clip.id])
  return (
    <section
      ref={stage}
      aria-label={`Video ${clip.name}`}
      data-full-screen={isOverPage ? '' : undefined}
      data-theme={isOverPage ? 'studio' : undefined}
      // Always a grid: WebKit rebuilds a box whose display type changes, and the video in it then loses its picture.
      className={cx(
        'grid grid-cols-[minmax(0,1fr)] overflow-hidden bg-paper text-ink',
        fill && 'h-full min-h-0',
        fills && FILLED_STAGE_CLASSES.stage,
        isOverPage && FULL_SCREEN_CLASSES,
      )}
    >
      <div
        data-theme="studio"
        className={cx('relative min-h-0 w-full bg-chalk', fills ? DRAWING_TOOLS_ROOM_CLASSES : maxHeight)}
        style={fills ? ({ '--aspect': aspect } as CSSProperties) : { aspectRatio: aspect }}
      >
        <DrawingStage
          $frame={player.$frame}
          $view={$view}
          aspect={aspect}
          shapes={shapes}
          drawing={drawing}
          wheel={fill}
          onTap={areControlsShown ? player.toggle : () => {}}
          onScrub={scrub}
        >
          {/* biome-ignore lint/a11y/useMediaCaption: videos that players upload have no captions */}
          <video
            ref={player.attach}
            playsInline
            preload="metadata"
            poster={clip.poster ?? undefined}
            aria-label={clip.name}
            className="absolute inset-0 size-full object-contain"
          />
          {IS_WEBKIT_GSTREAMER && <PausedFrameCanvas />}
          <NearestStill {...{ player, stills }} />
        </DrawingStage>
        {status === 'ready' && <PreparingBadge clip={clip} />}
        <VideoStatusOverlay player={player} clip={clip} />
        {pictureOverlay}
      </div>
      {caption && <div className={cx(fills && FILLED_STAGE_CLASSES.caption)}>{caption}</div>}
      {/* Hidden controls keep the focus, so that the next key press works and shows them again. */}
      <div
        className={cx(
          'px-2 pb-2',
          // On a short screen, the strip would leave no room to draw.
          takesScreen && 'short:*:first:hidden',
          fills && FILLED_STAGE_CLASSES.controls,
          areControlsShown ? fills && 'short:contents' : 'h-0 overflow-hidden pb-0! opacity-0',
        )}
      >
        {timeline || (
          <FilmstripScrubber {...{ player, stills, notes, current, onNote, marks, $keyframes }} onDoubleClick={onStripDoubleClick} />
        )}
        <div
          className={cx(
            '@container mt-1 flex items-center max-sm:overflow-x-auto max-sm:[scrollbar-width:none]',
            extraControls === undefined ? 'pl-2' : 'sm:pl-2',
            fills && FILLED_STAGE_CLASSES.buttons,
          )}
        >
          <PlayButton player={player} isHidden={isPlayHidden} className={fills && FILLED_STAGE_CLASSES.wide} />
          {steps || (
            <>
              <IconButton label="Previous frame" onClick={() => player.step(-1)}>
                <ChevronLeft {...ICON} />
              </IconButton>
              <IconButton label="Next frame" onClick={() => player.step(1)}>
                <ChevronRight {...ICON} />
              </IconButton>
            </>
          )}
          {/* Hidden on a phone if there are extra controls, so that all buttons fit on one line. */}
          <TimeAndFrameDisplay
            player={player}
            className={cx(extraControls !== undefined && 'max-sm:hidden', fills && FILLED_STAGE_CLASSES.wide)}
          />
          {!steps && (part || extraControls === undefined) && <LoopButton {...{ player, part }} />}
          <span className={cx('flex-1', fills && 'short:hidden')} />
          <span data-words="" className={cx(EXTRA_CONTROLS_CLASSES, fills && FILLED_STAGE_CLASSES.words)}>
            {extraControls}
          </span>
          {speed || <SpeedControl player={player} />}
          <IconButton
            label={isFull ? 'Leave full screen' : 'Full screen'}
            onClick={toggleFullScreen}
            className={cx(extraControls !== undefined && 'max-sm:hidden')}
          >
            {isFull ? <Minimize {...ICON} /> : <Maximize {...ICON} />}
          </IconButton>
        </div>
      </div>
    </section>
  )
}
