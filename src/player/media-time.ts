import type { Source } from './source.ts'

/** So far apart two times may be told and still be the same, seconds: a frame of 240 a second has sixteen times as much. */
const SAME = 0.000_25
/** So many pictures are looked at to learn what the browser tells; the first may still be those of earlier seeks. */
const LESSONS = 6
/** So many frames on each side are looked at for a change of the rate: decoders put them in order. */
const AROUND = 8
const same = (a: number, b: number) => Math.abs(a - b) < SAME
/**
 * WebKit elsewhere than on Apple's machines plays by GStreamer, whose h264parse has its own idea of how long a frame lasts: the mean of all, or one
 * tick of the encoder's clock. A seek finds the first frame that lasts until then by that idea.
 */
export const GSTREAMER = /^Apple/.test(globalThis.navigator?.vendor ?? '') && navigator.userAgent.includes('Linux')
/** The mean that it reckons with is a round one: so many times ours at most. */
const ROUNDED = 1.02

/** Whether the browser shows the frame that was asked for; `again`: another seek within the same frame will tell. */
type Answer = 'yes' | 'no' | 'again'

/**
 * What the times of pictures are worth that a browser tells. Chromium tells when the frame of a picture begins, which proves the frame. Firefox
 * and WebKit tell the time that was sought to, WebKit on another clock than that of its seeks: then it is known that the seek is over, and the
 * frame is the right one where their clock runs with the frame table. Firefox begins its clock with the first picture in the file, even one
 * that is hidden. `duration`: of the <video>, seconds.
 */
export function clock(
  { prepared, times, behind: given }: Pick<Source, 'prepared' | 'times' | 'behind'>,
  duration: number,
  guessed = GSTREAMER,
) {
  let behind = given
  const [first, last] = times ? [times.start(0), times.end(times.frames - 1)] : [0, 0]
  const usual = times ? (last - first) / times.frames : 0
  const lasts = (seconds: number) => Math.abs(duration - seconds) < usual / 4
  /** The clock of seeks runs with the table. Sound may last longer than the picture; nothing lasts shorter. */
  let level = first > 0 ? lasts(last) : duration > last - usual
  /** It tells when frames begin. */
  let truthful = false
  /** Where it was sought to when it seemed so: what is shown may be the first picture in the file, which is hidden. */
  let seemed: number | undefined
  /** Of a browser that tells the time sought to: by how much its answer differs. */
  let offset: number | undefined
  let before: { frame: number; target: number; off: number } | undefined
  let lessons = 0
  /** Nothing was sought or played so far: what is shown is the first frame. */
  let fresh = true
  /** No frame is taken to last longer than this, seconds; 0 where each lasts as long as the table says. */
  const most = guessed ? usual * ROUNDED : 0
  let longest = most
  /** A frame was passed over, as it was taken to have ended before its middle. */
  let passed = false
  let passedOver: number | undefined
  const lasting = (frame: number) => times!.end(frame) - times!.start(frame)
  const lastingBefore = (frame: number) => (frame > 0 ? lasting(frame - 1) : Number.POSITIVE_INFINITY)
  /** The frame before it is not taken to last until `target`. */
  const alone = (frame: number, target: number) => !longest || longest < lastingBefore(frame) + target + behind - times!.start(frame)

  /** Where the rate changes, WebKit finds another frame than that of the time. */
  const steady = (frame: number) => {
    const lengths = Array.from({ length: 2 * AROUND + 1 }, (_, i) => frame - AROUND + i).map(f => times!.end(f) - times!.start(f))
    return Math.max(...lengths) < 2 * Math.min(...lengths)
  }

  return {
    /** Seconds that the <video> is behind the frame table. */
    behind: () => behind,
    /** Seconds of the table at which the picture of a told time is shown, as far as that is known. */
    seconds: (told: number) => told - (offset ?? 0) + behind,

    /** Which part of a frame to seek to, to see it: of two, as one seeks in vain to where one is. Less than 0: before it. */
    parts(frame: number): readonly [number, number] {
      if (!longest) return [0.5, 0.625]
      const [long, before] = [longest / lasting(frame), lastingBefore(frame) / lasting(frame)]
      if (passed && frame === 0) return [0, 0]
      // After the end of the frame before it, as it is taken to be, and before its own.
      if (passed && long < before * (7 / 8)) return [-before / 8, -before / 16]
      if (passed && long < 1) return [long - before / 2, long - before / 4]
      return long > before + 1 / 2 ? [0.9, 0.8] : [0.5, 0.625]
    },

    /** Whether a picture is that of `frame`, for which the video was sought to `target`. */
    shows(frame: number, target: number, told: number): Answer {
      fresh = false
      if (!times) return 'yes'
      if (longest && (prepared || offset !== undefined)) {
        const startsAt = (which: number) => same(told - (offset ?? 0) + behind, times.start(which))
        const into = target + behind - times.start(frame)
        if (into > 0 && startsAt(frame + 1) && frame < times.frames - 1) {
          longest = Math.min(longest, into)
          passed = true
          if (passedOver === frame) return 'no'
          passedOver = frame
          return 'again'
        }
        if (passed && level && into < 0 && startsAt(frame)) return 'yes'
        // The frame before it lasts until there after all: what seemed to pass one over was a picture from before its seek.
        if (passed && into < 0 && same(told - (offset ?? 0), target)) {
          passed = false
          longest = most
          return 'again'
        }
      }
      const begins = same(told + behind, times.start(frame))
      if (prepared) return times.within(frame, told + behind) && (begins || alone(frame, target)) ? 'yes' : 'no'
      if (begins) {
        if (times.hidden && !truthful && (seemed ?? target) === target) {
          seemed = target
          return lessons++ < LESSONS ? 'again' : 'no'
        }
        truthful = !longest
        offset = undefined
        return 'yes'
      }
      if (truthful) return 'no'
      const off = told - target
      if (same(off, 0) && times.hidden) level = false
      if (same(off, 0) && behind < first) {
        behind = first
        level = lasts(last - first)
        return 'again'
      }
      // The time told moves along with where in the frame it is sought to: no picture does.
      if (same(off, 0) || (before?.frame === frame && !same(before.target, target) && same(before.off, off))) offset = off
      before = { frame, target, off }
      if (offset === undefined) return lessons++ < LESSONS ? 'again' : 'no'
      return level && same(off, offset) && (same(offset, 0) || steady(frame)) && alone(frame, target) ? 'yes' : 'no'
    },

    /** While it rests at a picture that nobody asked for. */
    rests(told: number) {
      if (fresh && times && !prepared && !first && !times.hidden) offset = told
    },

    /** While it plays. Whether the frame at `seconds` is known to be the one shown. */
    plays(): boolean {
      fresh = false
      return !!times && (prepared || truthful || (level && offset !== undefined))
    },
  }
}
export type Clock = ReturnType<typeof clock>
