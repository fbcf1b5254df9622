import { type RefObject, useEffect } from 'react'
import { isTextEntry } from '../ui/shortcut-guards.ts'
import type { VideoPlayer } from './video-player.ts'

/** How many frames a key press moves with Shift held down, here and in comparisons. */
export const FRAMES_PER_LARGE_STEP = 10

/** Elements that use the stage's keys themselves. Inputs without text, such as the strip's slider, use only the arrow keys. */
const OWN_KEYS = '[role=tab], [role=radio], [role=menu], [role=listbox], [role=application], [role=dialog]'

/** The elements of the stages on this page, in the order in which they appeared. */
const stagesOnPage = new Set<Element>()

/** The stage that the viewer used last: by pointer, by moving the focus into it, or by playing its video. */
let lastUsedStage: Element | undefined

/** The stage that a key is for: the one that contains the key's target, or else the one used last. Never one behind a full screen. */
function stageForKey(target: EventTarget | null) {
  const reachable = [...stagesOnPage].filter(stage => !stage.closest('[inert]'))
  return (
    reachable.find(stage => target instanceof Node && stage.contains(target)) ??
    reachable.find(stage => stage === lastUsedStage) ??
    reachable[0]
  )
}

/**
 * Handles keys anywhere on a page with a stage: the left and right arrows, comma and period step by frames; K plays and pauses. `stage`: the
 * element of the stage and what belongs to it. If the page has several stages, a key acts on only one of them.
 */
export function useStageKeys(stage: RefObject<Element | null>, player: Pick<VideoPlayer, 'step' | 'toggle' | '$playing'>) {
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const listening = new AbortController()
    const { signal } = listening
    const markAsUsed = () => {
      lastUsedStage = element
    }
    const handleKey = (e: KeyboardEvent) => {
      if (e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || isTextEntry(e.target)) return
      if (e.target instanceof Element && e.target.closest(e.key.startsWith('Arrow') ? `${OWN_KEYS}, input` : OWN_KEYS)) return
      if (stageForKey(e.target) !== element) return
      const frames = e.shiftKey ? FRAMES_PER_LARGE_STEP : 1
      const act = {
        arrowleft: () => player.step(-frames),
        arrowright: () => player.step(frames),
        ',': () => player.step(-frames),
        '<': () => player.step(-frames),
        '.': () => player.step(frames),
        '>': () => player.step(frames),
        k: player.toggle,
      }[e.key.toLowerCase()]
      if (!act) return
      e.preventDefault()
      act()
    }
    stagesOnPage.add(element)
    for (const event of ['pointerdown', 'focusin']) element.addEventListener(event, markAsUsed, { signal, passive: true })
    document.addEventListener('keydown', handleKey, { signal })
    const stopWatching = player.$playing.listen(isPlaying => isPlaying && markAsUsed())
    return () => {
      stagesOnPage.delete(element)
      listening.abort()
      stopWatching()
    }
  }, [stage, player])
}
