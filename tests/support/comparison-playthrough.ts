import type { Comparison } from '../../modules/reviews/contract.ts'
import type { VideoPlayerClip } from '../../src/player/clip-source.ts'
import { type BrowserEngine, registerClipOnTestServer, runPageScriptInEngine } from './run-player-in-browser-engine.ts'
import { frameTableOf } from './test-clips.ts'

/** A comparison to play through, and times at which to check it while paused. */
export interface PlaythroughRequest {
  /** Whether the comparison decodes single frames; otherwise, it uses <video> elements that follow the clock. */
  exact: boolean
  clips: [VideoPlayerClip, VideoPlayerClip]
  plan: Pick<Comparison, 'sides' | 'mode' | 'stretch'>
  rate: number
  moments: number[]
}
/** What the canvas of a comparison showed. `seen`: the frame numbers burned into both pictures. */
export interface PlaythroughReport {
  still: { due: number[]; seen: [number, number] }[]
  /** For each paint: the clock's time, the frames, and when these frames begin on the clock; times in ms. */
  played: { at: number; seen: [number, number]; begins: [number, number] }[]
  /** The longest duration of any frame that was shown, in ms on the clock. */
  slower: number
  /** The comparison's length, and how long playing it took, in ms. */
  longest: number
  took: number
}
export interface ComparisonPlaythroughInput extends Omit<PlaythroughRequest, 'clips' | 'plan'> {
  /** The paths of two clips. */
  files: [string, string]
  origins: [number, number]
  stretch?: boolean
}

/** Plays comparisons of renditions in one engine. Returns a report on each. @throws Error if one fails */
export async function playComparisonsInEngine(engine: BrowserEngine, wanted: ComparisonPlaythroughInput[]): Promise<PlaythroughReport[]> {
  const [files, tables] = [new Map<string, string>(), new Map<string, string>()]
  const asked: PlaythroughRequest[] = []
  for (const [i, { files: paths, origins, stretch = false, ...more }] of wanted.entries()) {
    const side = (which: number) => ({ folder: 'f', video: `${which}`, origin: origins[which]!, offset: 0, scale: 1 })
    const clips = await Promise.all(
      paths.map(async (file, which) => registerClipOnTestServer(`/${i}${which}`, file, await frameTableOf(file), true, { files, tables })),
    )
    asked.push({ ...more, clips: clips as [VideoPlayerClip, VideoPlayerClip], plan: { sides: [side(0), side(1)], mode: 'side', stretch } })
  }
  const seen = await runPageScriptInEngine<PlaythroughReport & { error?: string }>(
    engine,
    'comparison-page-script.ts',
    { asked },
    { files, tables },
  )
  for (const { error } of seen) if (error) throw new Error(error)
  return seen
}

/** Returns the largest lag between the two clips while both play, in ms on the clock. `a` and `b`: how many frames they have. */
export function largestSyncLagMs({ played }: PlaythroughReport, [a, b]: [number, number]): number {
  const both = played.filter(({ seen }) => seen[0] > 0 && seen[1] > 0 && seen[0] < a - 1 && seen[1] < b - 1)
  return Math.max(...both.map(({ begins }) => Math.abs(begins[0] - begins[1])))
}
