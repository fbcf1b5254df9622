import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { describe, expect, test } from 'vitest'
import { onionSkinLayers, opacityOfFrameAround, tintPicture } from '../../src/comparison/onion-skin-layers.ts'
import { layOutPictures, paintComparedPictures } from '../../src/comparison/paint-compared-pictures.ts'

const SIZE = { width: 16, height: 9 }
/** Creates a picture in one shade of gray. */
function gray(level: number): CanvasImageSource {
  const canvas = createCanvas(SIZE.width, SIZE.height)
  const context = canvas.getContext('2d')
  context.fillStyle = `rgb(${level} ${level} ${level})`
  context.fillRect(0, 0, SIZE.width, SIZE.height)
  return canvas as unknown as CanvasImageSource
}
const contextOf = (canvas: Canvas) => canvas.getContext('2d') as unknown as CanvasRenderingContext2D
const pixelOf = (context: CanvasRenderingContext2D) => [...context.getImageData(8, 4, 1, 1).data.slice(0, 3)]

function paint(layers: ReturnType<typeof onionSkinLayers>) {
  const context = contextOf(createCanvas(SIZE.width, SIZE.height))
  paintComparedPictures(context, 'ghost', [gray(0), gray(255)], layOutPictures('ghost', SIZE, [16 / 9, 16 / 9]), { layers })
  return pixelOf(context)
}

describe('an onion skin', () => {
  test('shows the second clip over the first at the chosen opacity', () => {
    expect(paint(onionSkinLayers({ opacity: 20 }, gray(255), false, () => null))).toEqual([51, 51, 51])
    expect(paint(onionSkinLayers({ opacity: 90 }, gray(255), false, () => null))[0]).toBeGreaterThan(220)
  })

  test('shows neighboring decoded frames fainter, and never a frame over itself', () => {
    const requested: number[] = []
    const layers = onionSkinLayers({ opacity: 60, around: [-2, -1, 1, 2] }, gray(255), true, distance => {
      requested.push(distance)
      return distance < 2 ? gray(255) : null
    })
    expect(requested).toEqual([-2, -1, 1, 2])
    expect(layers.map(l => Math.round(l.opacity * 100))).toEqual([20, 30, 30])
    expect(opacityOfFrameAround({ opacity: 60 }, -2)).toBeCloseTo(opacityOfFrameAround({ opacity: 60 }, 2), 9)
  })

  test('is tinted blue, so that the two clips can be distinguished', () => {
    const scratch = contextOf(createCanvas(SIZE.width, SIZE.height))
    const tinted = tintPicture(scratch, gray(255), SIZE.width, SIZE.height)
    const [red, , blue] = paint([{ image: tinted, opacity: 1 }]) as [number, number, number]
    expect(blue - red).toBeGreaterThan(100)
    // The scratch canvas is reused, and nothing of the previous picture remains.
    tintPicture(scratch, gray(0), SIZE.width, SIZE.height)
    expect(pixelOf(scratch)).toEqual([0, 0, 0])
  })
})
