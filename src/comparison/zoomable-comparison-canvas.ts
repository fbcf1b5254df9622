import { atom } from 'nanostores'
import type { Comparison, OnionSkin } from '../../modules/reviews/contract.ts'
import { fullViewport, MAX_ZOOM, type Viewport } from '../drawing/viewport.ts'
import { DEFAULT_ONION_SKIN, onionSkinLayers, tintPicture } from './onion-skin-layers.ts'
import { layOutPictures, paintComparedPictures, type Rect } from './paint-compared-pictures.ts'

/** After a zoom, the pictures are decoded at the new size once the view has not changed for this long. */
const VIEW_SETTLED_MS = 200

/**
 * Manages the canvas of a comparison: where the two pictures lie on it, and which part of them is visible. Calls `requestDraw` when the
 * canvas has to be repainted, and `onSize` when the size of the painted pictures, in device pixels, may have changed.
 */
export function createZoomableComparisonCanvas(requestDraw: () => void, onSize: (pictures: readonly [Rect, Rect]) => void) {
  /** The position of the divider, 0 to 1. */
  const $divider = atom(0.5)
  const $onionSkin = atom<OnionSkin>(DEFAULT_ONION_SKIN)
  /** Incremented whenever the pictures may have moved or changed size, so that the overlays on them are laid out again. */
  const $layoutVersion = atom(0)
  /** The visible part of both pictures. */
  const $view = atom<Viewport>(fullViewport)
  let canvas: HTMLCanvasElement | undefined
  let mode: Comparison['mode'] = 'side'
  let aspects: readonly [number, number] = [16 / 9, 16 / 9]
  let mirrored: readonly [boolean, boolean] = [false, false]

  /** One scratch canvas for each tinted layer, created on first use. */
  const scratch: HTMLCanvasElement[] = []
  function scratchContext(layer: number, width: number, height: number) {
    scratch[layer] ??= document.createElement('canvas')
    const layerCanvas = scratch[layer]
    if (layerCanvas.width !== width || layerCanvas.height !== height) Object.assign(layerCanvas, { width, height })
    return layerCanvas.getContext('2d')!
  }
  const rects = () => layOutPictures(mode, { width: canvas?.width ?? 0, height: canvas?.height ?? 0 }, aspects)
  function resize() {
    if (!canvas) return
    const density = Math.min(2, globalThis.devicePixelRatio || 1)
    const [width, height] = [Math.round(canvas.clientWidth * density), Math.round(canvas.clientHeight * density)]
    if (width && height && (width !== canvas.width || height !== canvas.height)) Object.assign(canvas, { width, height })
    const { scale } = $view.get()
    onSize(rects().map(r => ({ ...r, width: r.width * scale, height: r.height * scale })) as [Rect, Rect])
    $layoutVersion.set($layoutVersion.get() + 1)
    requestDraw()
  }

  return {
    $divider,
    $onionSkin,
    $layoutVersion,
    $view,
    resize,
    /** Sets the layout of the pictures, their aspect ratios (width divided by height), and which ones are mirrored. */
    setLayout(nextMode: Comparison['mode'], nextAspects: readonly [number, number], nextMirrored: readonly [boolean, boolean]) {
      const hasChanged = nextMode !== mode || nextAspects.join() !== aspects.join()
      mode = nextMode
      aspects = nextAspects
      mirrored = nextMirrored
      if (hasChanged) resize()
    },
    zoom: (factor: number) => $view.set({ ...$view.get(), scale: Math.min(MAX_ZOOM, Math.max(1, $view.get().scale * factor)) }),
    /** The rectangle that each picture occupies, however far it is zoomed, in CSS pixels from the canvas's top left corner. */
    pictureRects: () => {
      const density = canvas ? canvas.width / (canvas.clientWidth || 1) : 1
      const inPage = (r: Rect): Rect => ({
        left: r.left / density,
        top: r.top / density,
        width: r.width / density,
        height: r.height / density,
      })
      const [a, b] = rects()
      return [inPage(a), inPage(b)] as const
    },
    /** `isSameFrame`: whether both pictures show the same frame of the same clip. `frameAround`: see `onionSkinLayers`. */
    paint(
      images: readonly [CanvasImageSource, CanvasImageSource],
      isSameFrame: boolean,
      frameAround: (distance: number) => CanvasImageSource | null,
    ) {
      const ctx = canvas?.getContext('2d')
      if (!ctx) return
      const skin = $onionSkin.get()
      const layers = mode === 'ghost' ? onionSkinLayers(skin, images[1], isSameFrame, frameAround) : []
      const options = { divider: $divider.get(), view: $view.get(), mirrored }
      if (!skin.tinted) return paintComparedPictures(ctx, mode, images, rects(), { ...options, layers })
      const { width, height } = rects()[1]
      const size = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))] as const
      const tinted = layers.map(({ image, opacity }, i) => ({ opacity, image: tintPicture(scratchContext(i, ...size), image, ...size) }))
      paintComparedPictures(ctx, mode, images, rects(), { ...options, layers: tinted })
    },
    /** Puts a <video> next to the canvas, because some browsers decode nothing for a <video> outside the document. */
    addVideo: (video: HTMLVideoElement) => canvas?.after(video),
    isAttached: () => canvas !== undefined,

    attach(element: HTMLCanvasElement): () => void {
      canvas = element
      let timer: ReturnType<typeof setTimeout> | undefined
      const observer = new ResizeObserver(resize)
      observer.observe(element)
      const stopView = $view.listen(() => {
        requestDraw()
        clearTimeout(timer)
        timer = setTimeout(resize, VIEW_SETTLED_MS)
      })
      const stopListening = [$divider.listen(requestDraw), $onionSkin.listen(requestDraw)]
      return () => {
        observer.disconnect()
        stopView()
        for (const stop of stopListening) stop()
        clearTimeout(timer)
        canvas = undefined
      }
    },
  }
}
