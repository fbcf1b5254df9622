import type { Video } from '../../../../modules/folders/contract.ts'
import { VideoPoster } from '../../../player/VideoPoster.tsx'
import { formatMillisecondsAsClock } from '../../../ui/format-duration-and-size.ts'

/** '240 frames/s', or undefined if the rate is unknown. */
const frameRateText = ({ media }: Video) => {
  const rate =
    media?.captureRate?.rate ?? (media?.rate ? media.rate[0] / media.rate[1] : media && (media.frames * 1000) / media.milliseconds)
  return rate ? `${Math.round(rate)} frames/s` : undefined
}

/** '0:03 · 240 frames/s'. */
export const clipDurationAndRateText = (clip: Video) =>
  [formatMillisecondsAsClock(clip.milliseconds), frameRateText(clip)].filter(Boolean).join(' · ')

export const ClipButton = ({
  poster,
  name,
  about,
  disabled,
  onPick,
}: {
  poster: string | null
  name: string
  about: string
  disabled: boolean
  onPick: () => void
}) => (
  <button
    type="button"
    disabled={disabled}
    onClick={onPick}
    className="w-40 overflow-hidden rounded-field border border-line bg-paper text-left hover:border-edge disabled:opacity-50"
  >
    <VideoPoster src={poster} />
    <span className="block truncate px-2 pt-1.5 text-14 font-medium">{name}</span>
    <span className="block px-2 pb-2 text-13 text-ink-2 tabular-nums">{about}</span>
  </button>
)
