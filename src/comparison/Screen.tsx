import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { Label } from '../drawing/Label.tsx'
import { Tools } from '../drawing/Tools.tsx'
import { cx } from '../ui/cx.ts'
import { painted } from '../ui/painted.ts'
import { Caption } from './Caption.tsx'
import { Controls } from './Controls.tsx'
import type { Comparer } from './comparer.ts'
import { Divider } from './Divider.tsx'
import type { ComparedDrawing } from './drawing.ts'
import { Line } from './Line.tsx'
import type { NamedPair } from './named.ts'
import { Sheet } from './Sheet.tsx'
import { Waiting } from './Waiting.tsx'

/** Two clips on one clock, with all it takes to look at them. `children` are more controls under them. */
export function Screen({
  comparer,
  pair,
  sides,
  mode,
  drawing,
  aspect,
  renew,
  fill = false,
  children,
}: {
  comparer: Comparer
  pair: NamedPair
  /** What is drawn on each. */
  sides: readonly Pick<Comparison['sides'][number], 'shapes'>[]
  mode: Comparison['mode']
  /** Where the two are drawn upon; elsewhere what is drawn is only seen. */
  drawing?: ComparedDrawing | undefined
  /** Width through height of the whole picture, where it does not take the height it is given. */
  aspect?: number
  /** Asks for fresh addresses of the clips. */
  renew: () => void
  fill?: boolean
  children?: ReactNode
}) {
  const state = useStore(comparer.$state)
  const canvas = useRef<HTMLCanvasElement>(null)
  const clips = [pair[0].clip, pair[1].clip] as const
  const which = clips.map(c => `${c.id} ${c.rendition?.state}`).join()
  useEffect(() => comparer.attach(canvas.current), [comparer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same clips under other addresses go on undisturbed
  useEffect(() => {
    let here = true
    // What is to be pressed comes a frame before the clips, and these before what lies over their pictures.
    painted().then(() => void (here && comparer.open(clips)))
    return () => {
      here = false
    }
  }, [comparer, which])
  // Fresh addresses: another try, once they are here.
  const addresses = clips.map(c => c.rendition?.url ?? c.url).join()
  const tried = useRef(addresses)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where it did not load
  useEffect(() => {
    if (tried.current !== addresses && comparer.$state.get() === 'failed') comparer.open(clips)
    tried.current = addresses
  }, [comparer, addresses])

  const [open, setOpen] = useState(false)
  useEffect(
    () =>
      void painted()
        .then(painted)
        .then(() => setOpen(true)),
    [],
  )

  const over = mode !== 'side'
  const top = drawing?.side ?? 1
  /** There is a pencil in the hand. */
  const drawn = drawing?.instrument != null
  return (
    <div className={cx('flex min-w-0 flex-col bg-paper', fill && 'min-h-fit flex-1')}>
      {/* Above the pictures: two of them leave nothing that a bar could lie on. */}
      {drawing && drawn && (
        <div data-theme="studio" className="relative h-16 shrink-0 bg-chalk">
          <Tools {...drawing.tools} />
        </div>
      )}
      <div
        data-theme="studio"
        className={cx('relative isolate min-h-0 w-full overflow-hidden bg-chalk', fill ? 'min-h-80 flex-1 sm:min-h-48' : 'max-h-[70dvh]')}
        style={fill ? undefined : { aspectRatio: aspect }}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${pair[0].of} beside ${pair[1].of}`}
          className="absolute inset-0 size-full"
          onClick={comparer.toggle}
        />
        {open &&
          ([0, 1] as const).map(side => (
            <Sheet
              key={side}
              {...{ comparer, which: side, wheel: fill, below: over && side !== top }}
              name={`${side ? 'the second clip' : 'the first clip'}, ${pair[side].of}`}
              shapes={sides[side]?.shapes}
              drawing={drawing?.drawings[side]}
            >
              {drawing?.writing?.side === side && <Label at={drawing.writing.at} onDone={drawing.write} />}
            </Sheet>
          ))}
        <Caption {...{ comparer, pair, mode }} />
        {mode === 'slider' && state === 'ready' && <Divider {...{ comparer, pair }} drawing={drawn} />}
        <Waiting
          comparer={comparer}
          onRetry={() => {
            renew()
            comparer.open(clips)
          }}
        />
      </div>
      <div className="px-2 pb-2">
        <Line {...{ comparer, sides }} />
        <Controls {...{ comparer, mode }} />
        {children}
      </div>
    </div>
  )
}
