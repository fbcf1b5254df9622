/**
 * The frame table of a video: when each of its frames is shown. Frames are numbered from 0. Notes and drawings are stored with frame
 * numbers, and their times are looked up here, so that no code assumes a frame rate. Times are ticks of the track's own clock, so nothing
 * is rounded.
 */
export interface FrameTable {
  version: 1
  /** Ticks per second. */
  scale: number
  /** When frame 0 is shown; a delayed or fragmented file does not begin at 0. */
  first: number
  /** How many ticks before time 0 the first frame in the file begins: the part that an edit list hides. */
  hidden?: number | undefined
  /** Frames in order, as [how many in a row, ticks that each is shown]. */
  runs: [count: number, delta: number][]
}

/** A file with more frames is not a clip of a swing: even 500 MB of real video has fewer. */
export const MAX_FRAMES_PER_VIDEO = 60_000

/** Notes from before frames were counted have only a time in whole ms, which may differ by this many ms from the start of their frame. */
const ROUNDING = 0.5
/** Browsers truncate times to microseconds, so they may report the start of a frame too early, by less than this many seconds. */
const CUT = 0.00002

/**
 * Builds the table of frames that begin at these ticks; the last one ends at `end`. Of several frames with the same time, only the last is
 * included, because only it can be seen. An edit list hides frames that end by time 0, and makes a frame that is on screen at time 0 begin
 * there.
 * @param starts presentation times, sorted
 * @returns null if no frame can be seen
 */
export function buildFrameTable(scale: number, starts: Iterable<number>, end: number): FrameTable | null {
  const runs: FrameTable['runs'] = []
  let first = 0
  let open: number | undefined
  const close = (at: number) => {
    if (open === undefined || at <= Math.max(open, 0)) return
    const from = Math.max(open, 0)
    if (!runs.length) first = from
    const run = runs.at(-1)
    if (run?.[1] === at - from) run[0]++
    else runs.push([1, at - from])
  }
  for (const start of starts) {
    close(start)
    open = start
  }
  close(end)
  return runs.length ? { version: 1, scale, first, runs } : null
}

export const frameCount = (table: FrameTable) => table.runs.reduce((sum, [count]) => sum + count, 0)

/** The table without the frames that begin at tick `end` or later. */
export function frameTableUntil(table: FrameTable, end: number): FrameTable {
  const runs: FrameTable['runs'] = []
  let begin = table.first
  for (const [count, delta] of table.runs) {
    const framesInRun = Math.min(count, Math.max(0, Math.ceil((end - begin) / delta)))
    if (framesInRun > 0) runs.push([framesInRun, delta])
    if (framesInRun < count) break
    begin += count * delta
  }
  return { ...table, runs }
}

export type FrameTimeline = ReturnType<typeof frameTimeline>

/** Looks up frames and times in a table, in logarithmic time. Seconds are presentation times, as a <video> counts them. */
export function frameTimeline({ scale, first, hidden = 0, runs }: FrameTable) {
  /** The frame and the tick at which each run begins; the last entries are the end of the video. */
  const frameAt = [0]
  const tickAt = [first]
  for (const [i, [count, delta]] of runs.entries()) {
    frameAt.push(frameAt[i]! + count)
    tickAt.push(tickAt[i]! + count * delta)
  }
  const frames = frameAt.at(-1)!
  const clamp = (frame: number) => Math.max(0, Math.min(frames - 1, Math.round(frame)))
  const tick = (frame: number) => {
    const run = lastNotAbove(frameAt, frame)
    return tickAt[run]! + (frame - frameAt[run]!) * (runs[run]?.[1] ?? 0)
  }

  /** The frame shown at a tick; the first or the last frame if the tick is before or after the video. */
  function containing(at: number): number {
    const run = Math.max(0, lastNotAbove(tickAt, at))
    return run >= runs.length ? frames - 1 : clamp(frameAt[run]! + Math.floor((at - tickAt[run]!) / runs[run]![1]))
  }

  return {
    frames,
    clamp,
    /** Seconds from the beginning of the first frame to the end of the last. */
    seconds: (tickAt.at(-1)! - first) / scale,
    /** How many seconds before time 0 the first frame in the file begins. */
    hidden: hidden / scale,
    /** Seconds at which a frame begins to be shown. */
    start: (frame: number) => tick(clamp(frame)) / scale,
    end: (frame: number) => tick(clamp(frame) + 1) / scale,
    /** Seconds to seek to: any rounding by a browser still lands on this frame. */
    middle: (frame: number) => (tick(clamp(frame)) + tick(clamp(frame) + 1)) / (2 * scale),
    /** The frame shown at a time in seconds. */
    at: (seconds: number) => containing((seconds + CUT) * scale),
    /** Whether a time in seconds lies within a frame, as precisely as browsers report times. */
    within: (frame: number, seconds: number) => seconds + CUT >= tick(frame) / scale && seconds + CUT < tick(frame + 1) / scale,
    /** Whole milliseconds that lie within a frame: its start, rounded up. */
    milliseconds: (frame: number) => Math.ceil((tick(clamp(frame)) * 1000) / scale),
    /** The frame of a note that has only a time, in rounded milliseconds. */
    noted(milliseconds: number): number {
      const at = (milliseconds * scale) / 1000
      const frame = containing(at)
      const near = [frame, frame + 1].find(f => f < frames && Math.abs(tick(f) - at) * 1000 <= ROUNDING * scale)
      return near ?? frame
    },
  }
}

/** Index of the last of these ascending numbers that is at most `value`; -1 if there is none. */
function lastNotAbove(numbers: number[], value: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
