import { useStore } from '@nanostores/react'
import { ChevronLeft, ChevronRight, Maximize, Pause, Play, Repeat } from 'lucide-react'
import { atom, type WritableAtom } from 'nanostores'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { Easel, type Shapes } from '../drawing/Easel.tsx'
import type { Drawing } from '../drawing/keys.ts'
import { type View, whole } from '../drawing/view.ts'
import type { Pinned } from '../folders/notes.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Speed } from '../ui/speed.tsx'
import { FrameStrip, type Mark } from './FrameStrip.tsx'
import { Kept } from './LastFrameCanvas.tsx'
import { GSTREAMER } from './media-time.ts'
import { Near } from './NearestStill.tsx'
import { Veil } from './PlaybackOverlay.tsx'
import { Preparing } from './Preparing.tsx'
import { type Player, SPEEDS } from './player.ts'
import { aspectOf, TALLEST } from './Still.tsx'
import { useStills } from './stills.ts'
import { Times } from './Times.tsx'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

function PlayButton({ player }: { player: Player }) {
  const playing = useStore(player.$playing)
  return (
    <IconButton variant="ink" label={playing ? 'Pause' : 'Play'} onClick={player.toggle} className="rounded-full! sm:mr-1">
      {playing ? <Pause {...icon} fill="currentColor" /> : <Play {...icon} fill="currentColor" className="translate-x-px" />}
    </IconButton>
  )
}

/** Plays a range of frames, from its first to its last, until it is pressed again; without one the whole video, from where it is. */
function LoopButton({ player, part }: { player: Player; part: { from: number; to: number } | undefined }) {
  const loop = useStore(player.$loop)
  const last = useStore(player.$frames) - 1
  const looping = loop !== null
  const what = (looping ? loop.whole : !part) ? 'the video' : 'this part'
  return (
    <IconButton
      label={looping ? `Stop playing ${what} again` : `Play ${what} again and again`}
      aria-pressed={looping}
      disabled={last < 1}
      onClick={() => {
        player.$loop.set(looping ? null : (part ?? { from: 0, to: last, whole: true }))
        // From a voice that leads it, too, it takes the stage.
        if (!looping) player.moment({ frame: part?.from ?? player.$frame.get(), play: true })
      }}
      className={cx(looping && 'bg-field-wash text-field')}
    >
      <Repeat {...icon} />
    </IconButton>
  )
}

const SpeedOf = ({ player }: { player: Player }) => (
  <Speed label="Speed" value={useStore(player.$speed)} speeds={SPEEDS} onChange={player.speed} className="w-14 sm:w-18" />
)

/**
 * The drawing tools lie above the picture: where it would reach under them, it begins below. What is free above it anyway is counted first, so
 * that most pictures stay where they are. Needs `--aspect`, the picture's width through its height.
 */
const ROOM = '[container-type:size] has-[[data-tools]]:[--room:clamp(0px,7.5rem-100cqh+min(100cqh,100cqw/var(--aspect)),3.75rem)]'

const NONE: Shapes = []
const UNPINNED: Pinned[] = []

/**
 * A video with everything it takes to study a swing: the line with its notes, single frames, slow motion, full screen. What plays, loops or
 * moves draws its own button alone.
 */
export function Stage({
  player,
  clip,
  notes = UNPINNED,
  shapes = NONE,
  current,
  onNote,
  marks,
  extra,
  drawing,
  over,
  $view: given,
  fill = false,
}: {
  player: Player
  clip: Video
  notes?: Pinned[]
  /** What is drawn on this clip. */
  shapes?: Shapes
  /** Id of the note that is being shown. */
  current?: string
  onNote?: (note: Pinned) => void
  /** Positions on this clip. */
  marks?: Mark[] | undefined
  /** More controls, after the times. */
  extra?: ReactNode
  /** With it the picture is drawn upon. */
  drawing?: Drawing
  /** What lies over the picture: the drawing tools. */
  over?: ReactNode
  /** What part of the picture is seen, where others have to know it, too. */
  $view?: WritableAtom<View>
  /** Takes the height it is given, as in the studio, instead of the video's own. */
  fill?: boolean
}) {
  const frame = useRef<HTMLElement>(null)
  const [$view] = useState(() => given ?? atom<View>(whole))
  const aspect = aspectOf(clip)
  const ability = useStore(player.$ability)
  const range = notes.find(n => n.id === current)
  const [from, to] = [range?.frame, range?.until]
  const part = from !== undefined && to !== undefined ? { from, to } : undefined
  const stills = useStills(player, clip)
  // Another note, or none: its part is played no more. Another video: nothing is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the range is what it depends on
  useEffect(() => {
    if (!player.$loop.get()?.whole) player.$loop.set(null)
  }, [player, from, to])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the video is what it depends on
  useEffect(() => player.$loop.set(null), [player, clip.id])
  useEffect(() => player.load(clip), [player, clip])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another clip is seen whole
  useEffect(() => $view.set(whole), [$view, clip.id])
  return (
    <section
      ref={frame}
      aria-label={`Video ${clip.name}`}
      className={cx('flex flex-col overflow-hidden bg-paper', fill && 'h-full min-h-0')}
    >
      <div
        data-theme="studio"
        className={cx('relative min-h-0 w-full bg-chalk', fill ? `flex-1 ${ROOM}` : TALLEST)}
        style={fill ? ({ '--aspect': aspect } as CSSProperties) : { aspectRatio: aspect }}
      >
        <Easel $frame={player.$frame} $view={$view} aspect={aspect} shapes={shapes} drawing={drawing} wheel={fill} onTap={player.toggle}>
          {/* biome-ignore lint/a11y/useMediaCaption: what a player filmed has no captions */}
          <video
            ref={player.attach}
            playsInline
            preload="metadata"
            poster={clip.poster ?? undefined}
            aria-label={clip.name}
            className="absolute inset-0 size-full object-contain"
          />
          {GSTREAMER && <Kept />}
          <Near {...{ player, stills }} />
        </Easel>
        {ability === 'ready' && <Preparing clip={clip} />}
        <Veil player={player} clip={clip} />
        {over}
      </div>
      <div className="@container px-2 pb-2">
        <FrameStrip {...{ player, stills, notes, current, onNote, marks }} />
        <div
          className={cx(
            'mt-1 flex items-center max-sm:overflow-x-auto max-sm:[scrollbar-width:none]',
            extra === undefined ? 'pl-2' : 'sm:pl-2',
          )}
        >
          <PlayButton player={player} />
          <IconButton label="One frame back" onClick={() => player.step(-1)}>
            <ChevronLeft {...icon} />
          </IconButton>
          <IconButton label="One frame on" onClick={() => player.step(1)}>
            <ChevronRight {...icon} />
          </IconButton>
          {/* On a phone it gives way, so that everything to press is on one line. */}
          <Times player={player} className={extra !== undefined && 'max-sm:hidden'} />
          {(part || extra === undefined) && <LoopButton {...{ player, part }} />}
          <span className="flex-1" />
          {/* Where they would not fit, the icons alone: their words stay for those who hear them. */}
          <span className="contents [&>button]:mr-2 @max-[54rem]:[&>button]:mr-1 @max-[28rem]:[&>button]:mr-0.5 @max-[54rem]:[&>button]:w-11 @max-[54rem]:[&>button]:shrink-0 @max-[54rem]:[&>button]:gap-0 @max-[54rem]:[&>button]:px-0 @max-[54rem]:[&>button]:text-[0px]">
            {extra}
          </span>
          <SpeedOf player={player} />
          <IconButton
            label="Full screen"
            onClick={() => player.fullscreen(frame.current)}
            className={cx(extra !== undefined && 'max-sm:hidden')}
          >
            <Maximize {...icon} />
          </IconButton>
        </div>
      </div>
    </section>
  )
}
