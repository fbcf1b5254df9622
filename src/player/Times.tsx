import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { precise } from '../ui/format.ts'
import type { Player } from './player.ts'

/** A picture may be under way for so long before the number of its frame goes, ms: at each step it would have the screen composed anew. */
const LATE = 100

/** Whether the frame one is on is the one that is seen, or will be in a moment. */
function useCounted({ $sure }: Player) {
  const [counted, setCounted] = useState(false)
  useEffect(() => {
    let late: ReturnType<typeof setTimeout> | undefined
    const stop = $sure.subscribe(sure => {
      clearTimeout(late)
      if (sure) setCounted(true)
      else late = setTimeout(setCounted, LATE, false)
    })
    return () => {
      clearTimeout(late)
      stop()
    }
  }, [$sure])
  return counted
}

/** A text that changes at each step, in a box as wide as it ever becomes: nothing around it is laid out anew. */
const Changing = ({ text, widest, className }: { text: string; widest: string; className?: string }) => (
  <span data-widest={widest} className="relative inline-block before:invisible before:content-[attr(data-widest)]">
    <span className={cx('absolute inset-0 [contain:layout_size]', className)}>{text}</span>
  </span>
)

/** Where one is: the time, and the frame where it is known that its picture is shown. */
export function Times({ player, className }: { player: Player; className?: string | false }) {
  const frame = useStore(player.$frame)
  const frames = useStore(player.$frames)
  const time = useStore(player.$time)
  const length = precise(useStore(player.$length))
  const sure = useStore(player.$sure)
  const counted = useCounted(player)
  return (
    <span data-frame={frame} data-sure={sure} className={cx('pr-1 text-14 whitespace-nowrap tabular-nums max-[24rem]:hidden', className)}>
      <Changing text={precise(time)} widest={length} className="text-right" /> <span className="text-ink-2 max-sm:hidden">/ {length}</span>
      <span className="pl-2 text-ink-2 max-md:hidden">
        Frame{' '}
        <span className={cx(!counted && 'invisible')}>
          <Changing text={`${frame + 1}`} widest={`${frames}`} />
        </span>
      </span>
    </span>
  )
}
