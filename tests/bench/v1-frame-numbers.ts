import {
  BROWSER_LAUNCH_COMMANDS,
  type BrowserEngine,
  randomWantedFrames,
  showFramesInEngine,
  summarizeFrameReports,
} from '../support/run-player-in-browser-engine.ts'
import { type ClipName, testClipNames } from '../support/test-clips.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

const FRAMES = 200
/**
 * The clips for Firefox and WebKit; Chromium plays all. They cover every container, frame rates from 24 to 240, variable and changing rates,
 * frames that an edit list hides, a first frame after time 0, and a file without an index.
 */
const CLIPS_FOR_OTHER_ENGINES: ClipName[] = [
  ...(['24.mp4', '29.97.mp4', '60.mp4', '240.mov', 'variable.mp4', 'mixed.mov', 'edit-list.mp4', 'delayed.mp4'] as const),
  ...(['fragmented.mp4', 'vp9.webm', 'hevc.mov'] as const),
]

/** V1: requests random frames from the player, and compares their numbers with those burned into the images that it shows. */
export default async function measureFrameAccuracy(): Promise<BenchmarkFigure[]> {
  const figures: BenchmarkFigure[] = []
  for (const engine of ['chromium', 'firefox', 'webkit'] satisfies BrowserEngine[]) {
    if (!BROWSER_LAUNCH_COMMANDS[engine]) {
      console.log(`${engine} is not here: not measured.`)
      continue
    }
    const [names, frames] = engine === 'chromium' ? [testClipNames, FRAMES] : [CLIPS_FOR_OTHER_ENGINES, FRAMES / 4]
    for (const prepared of [true, false]) {
      const seen = await showFramesInEngine(engine, await Promise.all(names.map(name => randomWantedFrames(name, prepared, frames))))
      const { played, asked, wrong, refused } = summarizeFrameReports(seen)
      const what = `${engine}, ${prepared ? 'renditions' : 'originals'} of ${played} clips that it plays, ${asked} random frames`
      figures.push(
        {
          id: 'V1',
          name: `${what}: wrong pictures`,
          value: wrong,
          unit: '',
          bar: 0,
          better: 'less',
        },
        { id: 'V1', name: `${what}: not confirmed by the player`, value: refused, unit: '' },
      )
    }
  }
  return figures
}
