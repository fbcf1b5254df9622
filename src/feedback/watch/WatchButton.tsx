import { useStore } from '@nanostores/react'
import { ArrowDown, Play } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { Button } from '../../ui/button.tsx'
import { formatDurationMsAsClock } from '../../ui/format-duration-and-size.ts'
import { scrollToStage } from '../jump-to-stage-moment.ts'
import type { WatchButtonConnection } from './watch-button-connection.ts'

/**
 * “Watch with Ray · 2:10”: plays the whole review. Until the viewer plays the review or chooses a note, the stage hides its own play button
 * while this one is visible; afterward this button only scrolls to the stage.
 */
export function WatchButton({
  session,
  watch,
  milliseconds,
}: {
  session: ReviewedSession
  watch: WatchButtonConnection
  milliseconds: number
}) {
  const place = useRef<HTMLDivElement>(null)
  const hasBegun = useStore(watch.$hasBegun)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => watch.$isButtonVisible.set(entry!.isIntersecting))
    observer.observe(place.current!)
    return () => {
      observer.disconnect()
      watch.$isButtonVisible.set(false)
    }
  }, [watch])
  return (
    <div ref={place} className="flex">
      {hasBegun ? (
        <Button
          size="lg"
          variant="secondary"
          icon={<ArrowDown aria-hidden="true" size={20} strokeWidth={1.75} />}
          onClick={scrollToStage}
          className="max-sm:w-full"
        >
          Go to the video
        </Button>
      ) : (
        <Button
          size="lg"
          icon={<Play aria-hidden="true" size={20} strokeWidth={0} fill="currentColor" />}
          onClick={() => watch.play()}
          className="tabular-nums max-sm:w-full"
        >
          Watch with {session.instructor.name.split(' ')[0]} · {formatDurationMsAsClock(milliseconds)}
        </Button>
      )}
    </div>
  )
}
