import { layOutPictures } from '../../src/comparison/paint-compared-pictures.ts'
import type { PageDriver } from './page-driver.ts'

/** The aspect ratios of the compared clips: the one with 240 frames per second and the upright one. */
const ASPECTS = [16 / 9, 216 / 384] as const

/** Waits until a comparison shows these frames of both clips, by the numbers burned into them. */
export async function expectComparedFrames(driver: PageDriver, frames: [number, number]) {
  const size = await driver.holds('both clips', () => {
    const { due, shown, state } = document.querySelector<HTMLElement>('[data-state]')?.dataset ?? {}
    if (state !== 'ready' || due !== shown) return `${state}: ${shown} in place of ${due}`
    const { width, height, clientWidth } = document.querySelector<HTMLCanvasElement>('canvas[role=img]')!
    return width === Math.round(clientWidth * Math.min(2, devicePixelRatio)) ? { width, height } : 'it is not laid out yet'
  })
  for (const [i, frame] of frames.entries())
    await driver.waitForFrameNumber([frame], 'canvas[role=img]', layOutPictures('side', size, ASPECTS)[i])
}

/** Converts a point of a compared clip's picture (0 to 1 across and down) to window coordinates. */
export async function pointOnClip(driver: PageDriver, which: 0 | 1, x: number, y: number): Promise<[number, number]> {
  const { box, size } = await driver.tab.run(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas[role=img]')!
    const { left, top, width } = canvas.getBoundingClientRect()
    return { box: { left, top, width }, size: { width: canvas.width, height: canvas.height } }
  })
  const picture = layOutPictures('side', size, ASPECTS)[which]
  const dots = size.width / box.width
  return [box.left + (picture.left + x * picture.width) / dots, box.top + (picture.top + y * picture.height) / dots]
}

/** Waits for the line drawn across the middle of the first clip, and checks that nothing is drawn higher up or on the second clip. */
export async function expectLineOnFirstClip(driver: PageDriver) {
  const look = async (which: 0 | 1, y: number, drawn: boolean) =>
    driver.holds(
      `${drawn ? 'a line' : 'nothing'} on clip ${which + 1}`,
      (which: number, x: number, y: number, drawn: boolean) => {
        const canvas = document.querySelector<HTMLCanvasElement>(`[data-side="${which}"] canvas`)
        if (!canvas) return drawn ? 'there is no layer' : true
        const box = canvas.getBoundingClientRect()
        const dots = canvas.width / box.width
        const [left, top] = [Math.round((x - box.left) * dots) - 3, Math.round((y - box.top) * dots) - 3]
        const { data } = canvas.getContext('2d')!.getImageData(left, top, 7, 7)
        return data.some(value => value > 0) === drawn || 'it is not so'
      },
      which,
      ...(await pointOnClip(driver, which, 0.5, y)),
      drawn,
    )
  await look(0, 0.5, true)
  await look(0, 0.25, false)
  await look(1, 0.5, false)
}
