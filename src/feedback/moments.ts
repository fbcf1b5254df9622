import { useCallback, useState } from 'react'
import type { Moment } from '../../modules/folders/contract.ts'

/** What the stage is asked to show; a new object each time, so that the same moment can be asked for again. */
export interface Jump {
  to: Moment
}

const scroll = (selector: string, block: ScrollLogicalPosition) => document.querySelector(selector)?.scrollIntoView({ block })

/** A question beside the stage that points at one of its moments: chosen there, and shown there. */
export function useMoments() {
  const [jump, setJump] = useState<Jump>()
  const show = useCallback((to: Moment) => {
    setJump({ to })
    scroll('#stage', 'start')
  }, [])
  return { jump, show }
}

/** To the question, and into its field. */
export function toQuestion() {
  scroll('#question', 'center')
  document.querySelector<HTMLElement>('#question ~ form textarea')?.focus({ preventScroll: true })
}
