import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { DrawingTextInput } from '../drawing/DrawingTextInput.tsx'
import { ClipCaptions } from './ClipCaptions.tsx'
import { ComparisonDivider } from './ComparisonDivider.tsx'
import { ComparisonStatusOverlay } from './ComparisonStatusOverlay.tsx'
import { DrawingLayer } from './DrawingLayer.tsx'
import type { LabeledClipPair } from './labeled-clips.ts'
import type { SyncedComparisonController } from './synced-comparison.ts'
import type { ComparisonDrawing } from './use-comparison-drawing.ts'

export interface ComparisonPicturesProps {
  comparer: SyncedComparisonController
  pair: LabeledClipPair
  /** The drawings on each clip. */
  sides: readonly Pick<Comparison['sides'][number], 'shapes'>[]
  mode: Comparison['mode']
  /** Lets the viewer draw on both clips; without it, drawings are only shown. */
  drawing?: ComparisonDrawing | undefined
  /** Requests fresh URLs for the clips. */
  onRenew: () => void
}

/** The pictures of two clips with their drawings, without any controls. Fills its parent, which must be positioned (`relative`). */
export function ComparisonCanvas({
  comparer,
  pair,
  sides,
  mode,
  drawing,
  onRenew,
  wheel = false,
}: ComparisonPicturesProps & {
  /** The wheel zooms without Ctrl, as in the studio. */
  wheel?: boolean
}) {
  const state = useStore(comparer.$state)
  const canvas = useRef<HTMLCanvasElement>(null)
  const clips = [pair[0].clip, pair[1].clip] as const
  const clipsKey = clips.map(c => `${c.id} ${c.rendition?.state}`).join()
  useEffect(() => comparer.attach(canvas.current), [comparer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new URLs for the same clips must not interrupt the comparison
  useEffect(() => {
    comparer.open(clips)
  }, [comparer, clipsKey])
  // A comparison that failed to load is reopened as soon as its clips have fresh URLs.
  const addresses = clips.map(c => c.rendition?.url ?? c.url).join()
  const tried = useRef(addresses)
  // biome-ignore lint/correctness/useExhaustiveDependencies: fresh URLs reopen only a comparison that failed
  useEffect(() => {
    if (tried.current !== addresses && comparer.$state.get() === 'failed') comparer.open(clips)
    tried.current = addresses
  }, [comparer, addresses])

  const areOverlaid = mode !== 'side'
  const topSide = drawing?.side ?? 1
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${pair[0].label} and ${pair[1].label}`}
        className="absolute inset-0 size-full"
        onClick={comparer.toggle}
      />
      {([0, 1] as const).map(side => (
        <DrawingLayer
          key={side}
          {...{ comparer, side, wheel, isCovered: areOverlaid && side !== topSide }}
          name={`${side ? 'the second clip' : 'the first clip'}, ${pair[side].label}`}
          shapes={sides[side]?.shapes}
          drawing={drawing?.drawings[side]}
        >
          {drawing?.writing?.side === side && <DrawingTextInput at={drawing.writing.at} onDone={drawing.write} />}
        </DrawingLayer>
      ))}
      <ClipCaptions {...{ comparer, pair, mode }} />
      {mode === 'slider' && state === 'ready' && <ComparisonDivider {...{ comparer, pair }} isDrawing={drawing?.instrument != null} />}
      <ComparisonStatusOverlay
        comparer={comparer}
        onRetry={() => {
          onRenew()
          comparer.open(clips)
        }}
      />
    </>
  )
}
