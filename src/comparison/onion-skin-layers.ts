import type { OnionSkin } from '../../modules/reviews/contract.ts'

export const DEFAULT_ONION_SKIN: OnionSkin = { opacity: 50 }
/** The frames around the current one that an onion skin can show, as distances in frames. */
export const ONION_SKIN_DISTANCES = [-2, -1, 1, 2] as const
/**
 * If the onion skin is tinted, the second clip's pictures are multiplied by this color (`--sky` in the studio theme), so that their details
 * stay visible and the two clips can be told apart.
 */
const TINT = '#6fb1f2'

/** A picture that an onion skin paints over the first clip. */
export interface OnionSkinLayer {
  image: CanvasImageSource
  /** From 0 (invisible) to 1. */
  opacity: number
}

/** The opacity of a frame `distance` frames away from the current one, 0 to 1: the farther, the fainter. */
export const opacityOfFrameAround = ({ opacity }: Pick<OnionSkin, 'opacity'>, distance: number) => opacity / 100 / (1 + Math.abs(distance))

/**
 * The layers over the first clip: the second clip's current frame, then the frames around it. If both sides show the same frame of one clip
 * (`isSameFrame`), the current frame is left out, because it would cover itself.
 * @param frameAround returns the picture of the frame at this distance from the current one; null while it is not ready
 */
export function onionSkinLayers(
  skin: OnionSkin,
  current: CanvasImageSource,
  isSameFrame: boolean,
  frameAround: (distance: number) => CanvasImageSource | null,
): OnionSkinLayer[] {
  const around = (skin.around ?? []).flatMap(distance => {
    const image = frameAround(distance)
    return image ? [{ image, opacity: opacityOfFrameAround(skin, distance) }] : []
  })
  return [...(isSameFrame ? [] : [{ image: current, opacity: skin.opacity / 100 }]), ...around]
}

/** Paints a picture onto a scratch canvas in the tint's color. Returns that canvas. */
export function tintPicture(scratch: CanvasRenderingContext2D, image: CanvasImageSource, width: number, height: number) {
  scratch.globalCompositeOperation = 'source-over'
  scratch.drawImage(image, 0, 0, width, height)
  scratch.globalCompositeOperation = 'multiply'
  scratch.fillStyle = TINT
  scratch.fillRect(0, 0, width, height)
  return scratch.canvas
}
