import type { Page } from '@playwright/test'
import type { DemoAndBrowser } from './demo-and-browser.ts'
import {
  INTERACTION_RECORDER_SCRIPT,
  type InteractionTiming,
  interactionWithMedianDuration,
  slowestInteraction,
  throttleCpu,
} from './interaction-recorder.ts'
import { click, drag, pressKey } from './user-input.ts'

const times = 9

/**
 * Measures the least time that interactions can take on this machine and browser: on a page with only a button and, if `stage` is given, a
 * video under two canvases of the studio's size, with a few lines of code per press. No studio can be faster. Without a graphics card, the
 * times include the browser's painting of a video frame and the canvases in software.
 */
export async function measureMinimalPageInteractions(
  { browser, url }: Pick<DemoAndBrowser, 'browser' | 'url'>,
  stage?: { video: string; width: number; height: number },
) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const found: [string, InteractionTiming][] = []
  try {
    await page.addInitScript(INTERACTION_RECORDER_SCRIPT)
    await page.route('/bare', route => route.fulfill({ contentType: 'text/html', body: PAGE }))
    await page.goto('/bare')
    if (stage) await setUpMinimalStage(page, stage)
    await throttleCpu(await context.newCDPSession(page))
    const measure = async (name: string, act: () => Promise<unknown>) => {
      const all: InteractionTiming[] = []
      for (let i = 0; i < times; i++) {
        await act()
        all.push(await slowestInteraction(page))
      }
      found.push([name, interactionWithMedianDuration(all)])
    }
    await measure('a bare button', () => click(page.getByRole('button')))
    if (!stage) return found
    await measure('a bare line on a canvas', () =>
      drag(
        page,
        Array.from({ length: 41 }, (_, i) => [300 + i * 9, 300 + 50 * Math.sin(i / 3)]),
      ),
    )
    await measure('a bare canvas with as many strokes, repainted', () => pressKey(page, 'm'))
    await measure('a bare video, next frame', () => pressKey(page, 's'))
    await measure('a bare video, played', () => pressKey(page, 'p'))
    return found
  } finally {
    await context.close()
  }
}

const PAGE = `<!doctype html><button style="height:44px" onclick="this.append('.')">Press</button>`

/**
 * Sets up a video under two canvases: the key `s` shows another frame, `p` plays or pauses, `m` repaints 200 strokes half a pixel farther
 * right, and the pointer draws a line on the upper canvas, which moves to the lower one when the pointer is released.
 */
async function setUpMinimalStage(page: Page, { video, width, height }: { video: string; width: number; height: number }) {
  const film = await (await page.context().request.get(video)).body()
  await page.route('/bare.mp4', route => route.fulfill({ contentType: 'video/mp4', body: film }))
  await page.evaluate(`(async () => {
    const blob = await (await fetch('/bare.mp4')).blob()
    const [film, lower, canvas] = ['video', 'canvas', 'canvas'].map(name => document.body.appendChild(document.createElement(name)))
    for (const it of [film, lower, canvas]) it.style.cssText = 'position:absolute;left:0;top:60px;width:${width}px;height:${height}px'
    for (const it of [lower, canvas]) Object.assign(it, { width: ${width}, height: ${height} })
    Object.assign(film, { muted: true, src: URL.createObjectURL(blob) })
    const [under, ctx] = [lower, canvas].map(it => it.getContext('2d'))
    for (const its of [under, ctx]) Object.assign(its, { lineWidth: 4, strokeStyle: '#e2743f' })
    let last
    let way = new Path2D()
    let frame = 0
    canvas.onpointerdown = e => (last = e)
    canvas.onpointerup = () => {
      last = undefined
      requestAnimationFrame(() => {
        under.stroke(way)
        way = new Path2D()
        ctx.clearRect(0, 0, ${width}, ${height})
      })
    }
    canvas.onpointermove = e => {
      if (!last) return
      ctx.beginPath()
      ctx.moveTo(last.offsetX, last.offsetY)
      ctx.lineTo(e.offsetX, e.offsetY)
      ctx.stroke()
      way.lineTo(e.offsetX, e.offsetY)
      last = e
    }
    const strokes = Array.from({ length: 200 }, (_, i) => {
      const path = new Path2D()
      for (let j = 0; j < 60; j++) path.lineTo(150 + ((i * 37) % 200) + j * 6, 100 + ((i * 53) % 200) + j * 3)
      return path
    })
    document.onkeydown = ({ key }) => {
      if (key === 's') film.currentTime = ((frame = (frame + 1) % 20) + 0.5) / 30
      if (key === 'p') film.paused ? film.play() : film.pause()
      if (key !== 'm') return
      under.clearRect(0, 0, ${width}, ${height})
      under.translate(0.5, 0)
      for (const path of strokes) under.stroke(path)
    }
    await new Promise(done => (film.oncanplaythrough = done))
  })()`)
}
