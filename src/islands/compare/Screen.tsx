import { useStore } from '@nanostores/react'
import { ChevronLeft, ChevronRight, Pause, Play, Repeat } from 'lucide-react'
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Comparison } from '../../../modules/reviews/contract.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Speed } from '../../ui/speed.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { SPEEDS } from './clock.ts'
import type { Comparer } from './comparer.ts'
import type { NamedPair } from './named.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Milliseconds before or after the moment both are synced on. */
const fromSync = (at: number) => `${at < -0.5 ? '−' : '+'}${Math.abs(at / 1000).toFixed(2)} s`

const Time = ({ comparer }: { comparer: Comparer }) => (
  <span className="min-w-18 pr-1 text-14 whitespace-nowrap tabular-nums">{fromSync(useStore(comparer.$at))}</span>
)

const RANGE = cx(
  'absolute inset-0 h-11 w-full cursor-pointer appearance-none bg-transparent',
  '[&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-3 [&::-webkit-slider-thumb]:border-field [&::-webkit-slider-thumb]:bg-paper',
  '[&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-3 [&::-moz-range-thumb]:border-field [&::-moz-range-thumb]:bg-paper',
)

/** The line of both clips; the mark is the moment they are synced on. */
function Line({ comparer }: { comparer: Comparer }) {
  const at = useStore(comparer.$at)
  const [a, b] = useStore(comparer.$frames)
  useStore(comparer.$state)
  const { from, to } = comparer.ends()
  const part = (moment: number) => `${to > from ? Math.max(0, Math.min(100, ((moment - from) / (to - from)) * 100)) : 0}%`
  return (
    <div className="relative h-11">
      <span aria-hidden="true" className="absolute inset-x-2 top-1/2 h-1 -translate-y-1/2 rounded-full bg-line">
        <span className="block h-full rounded-full bg-field" style={{ width: part(at) }} />
        <span className="absolute top-1/2 size-2.5 -translate-1/2 rotate-45 rounded-[2px] bg-gold" style={{ left: part(0) }} />
      </span>
      <input
        type="range"
        aria-label="Position of both clips"
        aria-valuetext={`${fromSync(at)} from where they are synced, frames ${a + 1} and ${b + 1}`}
        min={from}
        max={to}
        step="any"
        value={at}
        onChange={e => {
          comparer.pause()
          comparer.seek(Number(e.currentTarget.value))
        }}
        onKeyDown={e => {
          const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[e.key]
          if (!by) return
          e.preventDefault()
          comparer.step(by * (e.shiftKey ? 10 : 1))
        }}
        className={RANGE}
      />
    </div>
  )
}

/** Which clip is which, and the frame whose picture is shown. */
function Caption({ comparer, pair, mode }: { comparer: Comparer; pair: NamedPair; mode: Comparison['mode'] }) {
  useStore(comparer.$laid)
  const state = useStore(comparer.$state)
  const due = useStore(comparer.$frames)
  const shown = useStore(comparer.$shown)
  const frames = shown ?? due
  const places = comparer.places()
  return (
    <>
      <span hidden data-state={state} data-due={due.join()} data-shown={shown?.join() ?? ''} />
      {pair.map(({ of }, i) => {
        const { left, top, width } = places[i]!
        const second = i === 1 && mode !== 'side'
        return (
          <span
            key={i === 0 ? 'first' : 'second'}
            className="pointer-events-none absolute max-w-full truncate rounded-base bg-chalk px-1.5 text-13 text-ink tabular-nums"
            style={
              second
                ? { right: 8, top: 8, maxWidth: '48%' }
                : { left: left + 8, top: top + 8, maxWidth: mode === 'side' ? width - 16 : '48%' }
            }
          >
            {of} · {frames[i]! + 1}
          </span>
        )
      })}
    </>
  )
}

/** Two clips on one clock, with all it takes to look at them. `children` are more controls under them. */
export function Screen({
  comparer,
  pair,
  mode,
  aspect,
  renew,
  fill = false,
  children,
}: {
  comparer: Comparer
  pair: NamedPair
  mode: Comparison['mode']
  /** Width through height of the whole picture, where it does not take the height it is given. */
  aspect?: number
  /** Asks for fresh addresses of the clips. */
  renew: () => void
  fill?: boolean
  children?: ReactNode
}) {
  const state = useStore(comparer.$state)
  const loaded = useStore(comparer.$loaded)
  const playing = useStore(comparer.$playing)
  const looping = useStore(comparer.$loop)
  const speed = useStore(comparer.$rate)
  const part = useStore(comparer.$part)
  useStore(comparer.$laid)
  const [dragging, setDragging] = useState(false)
  const canvas = useRef<HTMLCanvasElement>(null)
  const clips = [pair[0].clip, pair[1].clip] as const
  const which = clips.map(c => `${c.id} ${c.rendition?.state}`).join()
  useEffect(() => comparer.attach(canvas.current), [comparer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same clips under other addresses go on undisturbed
  useEffect(() => void comparer.open(clips), [comparer, which])
  // Fresh addresses: another try, once they are here.
  const addresses = clips.map(c => c.rendition?.url ?? c.url).join()
  const tried = useRef(addresses)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where it did not load
  useEffect(() => {
    if (tried.current !== addresses && comparer.$state.get() === 'failed') comparer.open(clips)
    tried.current = addresses
  }, [comparer, addresses])

  const divide = (e: PointerEvent) => {
    const { left, width } = e.currentTarget.getBoundingClientRect()
    const place = comparer.places()[0]
    if (width && place.width) comparer.$part.set(Math.max(0, Math.min(1, (e.clientX - left - place.left) / place.width)))
  }
  const places = comparer.places()
  return (
    <div className={cx('flex min-w-0 flex-col bg-paper', fill && 'min-h-fit flex-1')}>
      <div
        data-theme="studio"
        className={cx('relative min-h-0 w-full overflow-hidden bg-chalk', fill ? 'min-h-48 flex-1' : 'max-h-[70dvh]')}
        style={fill ? undefined : { aspectRatio: aspect }}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${pair[0].of} beside ${pair[1].of}`}
          className={cx('absolute inset-0 size-full', mode === 'slider' && 'cursor-ew-resize touch-pan-y')}
          onClick={() => mode !== 'slider' && comparer.toggle()}
          onPointerDown={e => {
            if (mode !== 'slider' || e.button > 0) return
            e.currentTarget.setPointerCapture(e.pointerId)
            setDragging(true)
            divide(e)
          }}
          onPointerMove={e => dragging && divide(e)}
          onPointerUp={() => setDragging(false)}
          onPointerCancel={() => setDragging(false)}
        />
        <Caption comparer={comparer} pair={pair} mode={mode} />
        {mode === 'slider' && state === 'ready' && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute w-0.5 -translate-x-1/2 bg-ink"
            style={{ left: places[0].left + part * places[0].width, top: places[0].top, height: places[0].height }}
          >
            <span className="absolute top-1/2 left-1/2 grid h-11 w-7 -translate-1/2 place-items-center rounded-full bg-ink text-paper">
              <ChevronLeft size={14} strokeWidth={2.5} className="absolute left-0" />
              <ChevronRight size={14} strokeWidth={2.5} className="absolute right-0" />
            </span>
          </span>
        )}
        {state !== 'ready' && (
          <div role="status" className="absolute inset-0 grid place-items-center bg-shade p-4 text-center">
            {state === 'failed' ? (
              <span className="flex flex-col items-center gap-3">
                These clips did not load. Look at your connection, then try again.
                <Button
                  variant="secondary"
                  onClick={() => {
                    renew()
                    comparer.open(clips)
                  }}
                >
                  Try again
                </Button>
              </span>
            ) : (
              <span className="flex items-center gap-2 tabular-nums">
                <Spinner /> Loading both clips{loaded > 0 && loaded < 1 ? `, ${Math.round(loaded * 100)} %` : ''}
              </span>
            )}
          </div>
        )}
      </div>
      <div className="px-2 pb-2">
        <Line comparer={comparer} />
        <div className="-mt-1 flex flex-wrap items-center">
          <IconButton
            variant="ink"
            label={playing ? 'Pause both' : 'Play both'}
            onClick={comparer.toggle}
            className="rounded-full! sm:mr-1"
          >
            {playing ? <Pause {...icon} fill="currentColor" /> : <Play {...icon} fill="currentColor" className="translate-x-px" />}
          </IconButton>
          <IconButton label="Both one frame back" onClick={() => comparer.step(-1)}>
            <ChevronLeft {...icon} />
          </IconButton>
          <IconButton label="Both one frame on" onClick={() => comparer.step(1)}>
            <ChevronRight {...icon} />
          </IconButton>
          <Time comparer={comparer} />
          <IconButton
            label={looping ? 'Stop at the end' : 'Begin again at the end'}
            aria-pressed={looping}
            onClick={() => comparer.$loop.set(!looping)}
            className={cx(looping && 'bg-field-wash text-field')}
          >
            <Repeat {...icon} />
          </IconButton>
          {mode !== 'side' && (
            <label className="flex h-11 items-center gap-2 pl-2 text-14">
              {mode === 'slider' ? 'Divider' : 'Ghost'}
              <span className="relative block h-11 w-24">
                <span aria-hidden="true" className="absolute inset-x-0 top-1/2 h-1 -translate-y-1/2 rounded-full bg-line" />
                <input
                  type="range"
                  min={0}
                  max={100}
                  step={1}
                  value={Math.round(part * 100)}
                  onChange={e => comparer.$part.set(Number(e.currentTarget.value) / 100)}
                  className={RANGE}
                />
              </span>
            </label>
          )}
          <span className="flex-1" />
          <Speed label="Speed of both" value={speed} speeds={SPEEDS} onChange={comparer.speed} />
        </div>
        {children}
      </div>
    </div>
  )
}
