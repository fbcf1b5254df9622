import { createSyncedComparison, type SyncedComparisonController } from '../../src/comparison/synced-comparison.ts'
import type { PlaythroughReport, PlaythroughRequest } from './comparison-playthrough.ts'
import { readBurnedInFrameNumber } from './read-burned-in-frame-number.ts'

// Runs in a browser: plays a comparison of two clips, and after each paint reads which frames are shown.

const WIDTHS = [960, 640, 1120]
const falseAfter = (milliseconds: number) => new Promise<false>(done => setTimeout(() => done(false), milliseconds))
/** Resolves after the screen's next paint. */
const painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)))

/** Reads the burned-in numbers of both pictures, which are side by side or stacked. */
function burnedInNumbers(canvas: HTMLCanvasElement, comparer: SyncedComparisonController): [number, number] {
  const dots = canvas.width / canvas.clientWidth
  const [a, b] = comparer.pictureRects().map(({ left, top, width, height }) => {
    const cut = document.createElement('canvas')
    Object.assign(cut, { width: Math.round(width * dots), height: Math.round(height * dots) })
    cut.getContext('2d')!.drawImage(canvas, -Math.round(left * dots), -Math.round(top * dots))
    return readBurnedInFrameNumber(cut, cut.width, cut.height)
  })
  return [a!, b!]
}

/** Uncaught errors, for example in a callback of the decoder. */
const uncaught: string[] = []
addEventListener('error', e => uncaught.push(e.message))
addEventListener('unhandledrejection', e => uncaught.push(String(e.reason)))

async function until(comparer: SyncedComparisonController, is: () => boolean) {
  for (const end = performance.now() + 20_000; !is(); await painted())
    if (performance.now() > end)
      throw new Error(
        `The comparison never showed the due frames: ${comparer.$state.get()}, ${comparer.$shownFrames.get()} of ${comparer.$dueFrames.get()}`,
      )
}
const isShowingDueFrames = (comparer: SyncedComparisonController) =>
  comparer.$shownFrames.get()?.join() === comparer.$dueFrames.get().join()

async function playThrough({ exact, clips, plan, rate, moments }: PlaythroughRequest): Promise<PlaythroughReport> {
  const canvas = document.createElement('canvas')
  canvas.style.cssText = `width: ${WIDTHS[0]}px; height: 270px; display: block`
  document.body.replaceChildren(canvas)
  const comparer = createSyncedComparison({ exact })
  const detach = comparer.attach(canvas)
  comparer.setPlan(plan)
  comparer.open(clips)
  const seen: PlaythroughReport = { still: [], played: [], slower: 0, longest: 0, took: 0 }
  await until(comparer, () => comparer.$state.get() === 'ready' && isShowingDueFrames(comparer))
  for (const [i, at] of moments.entries()) {
    // Resize the canvas as a window resize would.
    canvas.style.width = `${WIDTHS[i % WIDTHS.length]}px`
    comparer.seek(at)
    await Promise.race([until(comparer, () => isShowingDueFrames(comparer)), falseAfter(10_000)])
    await painted()
    // A resized canvas is empty until the next paint.
    for (let i = 0; i < 3 && burnedInNumbers(canvas, comparer).includes(-1); i++) await painted()
    const due = comparer.$dueFrames.get()
    seen.still.push({ due: [...due], seen: burnedInNumbers(canvas, comparer) })
  }
  canvas.style.width = `${WIDTHS[0]}px`
  const { from, to } = comparer.range()
  comparer.$loop.set(false)
  comparer.setSpeed(rate)
  comparer.seek(from)
  await until(comparer, () => isShowingDueFrames(comparer))
  const began = performance.now()
  comparer.play()
  let last = Number.NaN
  while (comparer.$playing.get()) {
    await painted()
    const at = comparer.paintedTime()
    if (at === last) continue
    last = at
    const [a, b] = burnedInNumbers(canvas, comparer)
    const frames = [a, b] as const
    seen.slower = Math.max(seen.slower, comparer.slowerFrameMs(frames))
    seen.played.push({ at, seen: [a, b], begins: [comparer.timeOfFrame(0, a), comparer.timeOfFrame(1, b)] })
    if (performance.now() - began > 300_000) throw new Error('The comparison did not end within five minutes.')
  }
  seen.took = performance.now() - began
  seen.longest = to - from
  detach?.()
  if (uncaught.length) throw new Error(uncaught.join())
  return seen
}

const { asked }: { asked: PlaythroughRequest[] } = await (await fetch('/asked')).json()
for (const one of asked) {
  const answer = await playThrough(one).catch((error: unknown) => ({ error: String((error as Error).stack) }))
  await fetch('/seen', { method: 'POST', body: JSON.stringify(answer) })
}
await fetch('/done', { method: 'POST' })
