import { useEffect, useState } from 'react'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { refresh } from '../client/query.ts'
import { createComparer } from './comparer.ts'
import { pressed } from './keys.ts'
import { Modes } from './Modes.tsx'
import type { NamedPair } from './named.ts'
import { Screen } from './Screen.tsx'

const NARROW = '(max-width: 639px)'
const narrow = () => matchMedia(NARROW).matches

/** A comparison as its player plays it: laid out as the instructor left it, or as one likes. */
export function Playing({ comparison, pair }: { comparison: Comparison; pair: NamedPair }) {
  const [comparer] = useState(createComparer)
  const [mode, setMode] = useState(comparison.mode)
  const [small, setSmall] = useState(narrow)
  const { sides, stretch } = comparison
  useEffect(() => comparer.set({ sides, mode, stretch }), [comparer, sides, mode, stretch])
  useEffect(() => {
    const media = matchMedia(NARROW)
    const change = () => setSmall(media.matches)
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [])
  const { width, height } = pair[0].clip
  const one = width && height ? width / height : 16 / 9
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for what its buttons do
    <div
      onKeyDown={e => {
        if (!pressed(comparer, e.nativeEvent)) return
        e.preventDefault()
        e.stopPropagation()
      }}
    >
      <div className="flex justify-center px-2 pb-2">
        <Modes mode={mode} onMode={setMode} />
      </div>
      <Screen
        {...{ comparer, pair, sides, mode }}
        aspect={mode !== 'side' ? one : small && one > 1 ? one / 2 : one * 2}
        renew={() => refresh('GET /api/folders/{folder}')}
      />
    </div>
  )
}
