import { ENGINE_COMMANDS, type Engine, randomFrames, showFramesIn, summarizeFrameReports } from '../support/browser-engines.ts'
import { type ClipName, clipNames } from '../support/test-clips.ts'
import type { Figure } from './figure.ts'

const FRAMES = 200
/**
 * The clips for the other engines: each container; frame rates from 24 to 240, variable and changing; hidden and late frames; a file without an
 * index.
 */
const FEW: ClipName[] = [
  ...(['24.mp4', '29.97.mp4', '60.mp4', '240.mov', 'variable.mp4', 'mixed.mov', 'edit-list.mp4', 'delayed.mp4'] as const),
  ...(['fragmented.mp4', 'vp9.webm', 'hevc.mov'] as const),
]

/** V1: frames requested from the player, compared with frames seen, read back from the picture. */
export default async function measureFrameNumbers(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const engine of ['chromium', 'firefox', 'webkit'] satisfies Engine[]) {
    if (!ENGINE_COMMANDS[engine]) {
      console.log(`${engine} is not here: not measured.`)
      continue
    }
    const [names, frames] = engine === 'chromium' ? [clipNames, FRAMES] : [FEW, FRAMES / 4]
    for (const prepared of [true, false]) {
      const seen = await showFramesIn(engine, await Promise.all(names.map(name => randomFrames(name, prepared, frames))))
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
