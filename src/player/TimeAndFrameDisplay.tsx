import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { formatClockHundredths } from '../ui/format-duration-and-size.ts'
import type { VideoPlayer } from './video-player.ts'

/**
 * The frame number stays visible if the picture arrives within this time. Without this delay, every step would hide the number and show it
 * again, which repaints the screen twice.
 */
const HIDE_FRAME_NUMBER_AFTER_MS = 100

/** Whether the screen shows the current frame, or is expected to in a moment. */
function useFrameNumberVisible({ $isConfirmed }: VideoPlayer) {
  const [isVisible, setVisible] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = $isConfirmed.subscribe(isConfirmed => {
      clearTimeout(timer)
      if (isConfirmed) setVisible(true)
      else timer = setTimeout(setVisible, HIDE_FRAME_NUMBER_AFTER_MS, false)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [$isConfirmed])
  return isVisible
}

/** Text that changes with each step, in a box as wide as its widest value, so that a step never triggers a reflow. */
const FixedWidthText = ({ text, widest, className }: { text: string; widest: string; className?: string }) => (
  <span data-widest={widest} className="relative inline-block before:invisible before:content-[attr(data-widest)]">
    <span className={cx('absolute inset-0 [contain:layout_size]', className)}>{text}</span>
  </span>
)

/** The current time, and the frame number once the picture of that frame is confirmed. */
export function TimeAndFrameDisplay({ player, className }: { player: VideoPlayer; className?: string | false }) {
  const frame = useStore(player.$frame)
  const frames = useStore(player.$frames)
  const time = useStore(player.$time)
  const length = formatClockHundredths(useStore(player.$duration))
  const isConfirmed = useStore(player.$isConfirmed)
  const isFrameNumberVisible = useFrameNumberVisible(player)
  return (
    <span
      data-frame={frame}
      data-sure={isConfirmed}
      className={cx('pr-1 text-14 whitespace-nowrap tabular-nums max-md:text-13 short:text-13', className)}
    >
      <FixedWidthText text={formatClockHundredths(time)} widest={length} className="text-right max-md:text-left short:text-left" />{' '}
      <span className="text-ink-2 max-md:hidden short:hidden">/ {length}</span>
      {/* On a phone, this is below the time. The label is hidden together with its number. */}
      <span className={cx('text-ink-2 max-md:block md:pl-2 short:block short:pl-0', !isFrameNumberVisible && 'invisible')}>
        Frame <FixedWidthText text={`${frame + 1}`} widest={`${frames}`} />
      </span>
    </span>
  )
}
