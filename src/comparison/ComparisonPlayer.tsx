import { useEffect, useState } from 'react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { renewAllSignedUrlsOfPage } from '../folders/renew-all-signed-urls-of-page.ts'
import { ComparisonModePicker } from './ComparisonModePicker.tsx'
import { ComparisonStage } from './ComparisonStage.tsx'
import { handleComparisonKey } from './comparison-keys.ts'
import type { LabeledClipPair } from './labeled-clips.ts'
import { createSyncedComparison } from './synced-comparison.ts'

const NARROW_SCREEN = '(max-width: 639px)'
const isNarrow = () => matchMedia(NARROW_SCREEN).matches

/** A delivered comparison. It opens in the instructor's layout, and the viewer may choose another. */
export function ComparisonPlayer({ comparison, pair }: { comparison: Comparison; pair: LabeledClipPair }) {
  const [comparer] = useState(createSyncedComparison)
  const [mode, setMode] = useState(comparison.mode)
  const [small, setSmall] = useState(isNarrow)
  const { sides, stretch, onionSkin } = comparison
  useEffect(() => comparer.setPlan({ sides, mode, stretch, onionSkin }), [comparer, sides, mode, stretch, onionSkin])
  useEffect(() => {
    const media = matchMedia(NARROW_SCREEN)
    const change = () => setSmall(media.matches)
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [])
  const { width, height } = pair[0].clip
  const clipAspectRatio = width && height ? width / height : 16 / 9
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts for the buttons inside
    <div
      onKeyDown={e => {
        if (!handleComparisonKey(comparer, e.nativeEvent)) return
        e.preventDefault()
        e.stopPropagation()
      }}
    >
      <div className="flex justify-center px-2 pb-2">
        <ComparisonModePicker mode={mode} onMode={setMode} />
      </div>
      <ComparisonStage
        {...{ comparer, pair, sides, mode }}
        aspect={mode !== 'side' ? clipAspectRatio : small && clipAspectRatio > 1 ? clipAspectRatio / 2 : clipAspectRatio * 2}
        onRenew={renewAllSignedUrlsOfPage}
      />
    </div>
  )
}
