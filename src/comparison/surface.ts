import { atom } from 'nanostores'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { MOST, type View, whole } from '../drawing/view.ts'
import { layoutOf, paint, type Rect } from './paint.ts'

/** A picture that becomes larger is decoded larger when it has stood so long, ms. */
const SETTLED = 200

/**
 * The canvas of a comparison: where the two pictures lie on it, and what part of them is seen. `wake`: it has to be painted again.
 * `sized`: pictures are drawn at another size, in real pixels.
 */
export function createSurface(wake: () => void, sized: (pictures: readonly [Rect, Rect]) => void) {
  /** The divider, or how strong the ghost is. */
  const $part = atom(0.5)
  /** Counts whatever changes where drawings lie. */
  const $laid = atom(0)
  /** What part of both pictures is seen. */
  const $view = atom<View>(whole)
  let canvas: HTMLCanvasElement | undefined
  let mode: Comparison['mode'] = 'side'
  let aspects: readonly [number, number] = [16 / 9, 16 / 9]

  const rects = () => layoutOf(mode, { width: canvas?.width ?? 0, height: canvas?.height ?? 0 }, aspects)
  function resize() {
    if (!canvas) return
    const dots = Math.min(2, globalThis.devicePixelRatio || 1)
    const [width, height] = [Math.round(canvas.clientWidth * dots), Math.round(canvas.clientHeight * dots)]
    if (width && height && (width !== canvas.width || height !== canvas.height)) Object.assign(canvas, { width, height })
    const { scale } = $view.get()
    sized(rects().map(r => ({ ...r, width: r.width * scale, height: r.height * scale })) as [Rect, Rect])
    $laid.set($laid.get() + 1)
    wake()
  }

  return {
    ...{ $part, $laid, $view },
    resize,
    /** How the two are laid out, and their widths through their heights. */
    lay(to: Comparison['mode'], as: readonly [number, number]) {
      const other = to !== mode || as.join() !== aspects.join()
      mode = to
      aspects = as
      if (other) resize()
    },
    /** Larger by a factor. */
    zoom: (factor: number) => $view.set({ ...$view.get(), scale: Math.min(MOST, Math.max(1, $view.get().scale * factor)) }),
    /** Where all of each picture lies, in pixels of the page. */
    places: () => {
      const dots = canvas ? canvas.width / (canvas.clientWidth || 1) : 1
      const inPage = (r: Rect): Rect => ({ left: r.left / dots, top: r.top / dots, width: r.width / dots, height: r.height / dots })
      const [a, b] = rects()
      return [inPage(a), inPage(b)] as const
    },
    paint(images: readonly [CanvasImageSource, CanvasImageSource]) {
      const ctx = canvas?.getContext('2d')
      if (ctx) paint(ctx, mode, images, rects(), $part.get(), $view.get())
    },
    /** Puts a <video> beside the canvas: some browsers decode nothing for one that is not on the page. */
    beside: (video: HTMLVideoElement) => canvas?.after(video),
    ready: () => canvas !== undefined,

    attach(element: HTMLCanvasElement): () => void {
      canvas = element
      let settling: ReturnType<typeof setTimeout> | undefined
      const observer = new ResizeObserver(resize)
      observer.observe(element)
      const seen = $view.listen(() => {
        wake()
        clearTimeout(settling)
        settling = setTimeout(resize, SETTLED)
      })
      const moved = $part.listen(wake)
      return () => {
        observer.disconnect()
        seen()
        moved()
        clearTimeout(settling)
        canvas = undefined
      }
    },
  }
}
