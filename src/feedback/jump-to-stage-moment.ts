import { useCallback, useState } from 'react'
import type { VideoMoment } from '../../modules/folders/contract.ts'

/** A request to show a moment on the stage. Each request is a new object, so that the same moment can be shown again. */
export interface StageJump {
  to: VideoMoment
}

const scroll = (selector: string, block: ScrollLogicalPosition) => document.querySelector(selector)?.scrollIntoView({ block })

export const scrollToStage = () => scroll('#stage', 'start')

/** Lets a question next to the stage show its moment there: pass `jump` to the stage, and call `show`. */
export function useStageJump() {
  const [jump, setJump] = useState<StageJump>()
  const show = useCallback((to: VideoMoment) => {
    setJump({ to })
    scrollToStage()
  }, [])
  return { jump, show }
}

/** Scrolls to the question, and focuses its field unless the question was asked already. */
export function focusQuestion() {
  scroll('#question', 'center')
  document.querySelector<HTMLElement>('#question ~ form textarea')?.focus({ preventScroll: true })
}
