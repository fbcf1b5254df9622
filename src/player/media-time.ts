import type { Timeline } from '../../modules/media/frames.ts'
import {
  createFrameLengthGuess,
  DEFAULT_SEEK_POINTS,
  type FrameLengthGuess,
  IS_WEBKIT_GSTREAMER,
  isBeyondPrevious,
  seekPointsByGuess,
} from '../browser-quirks/gstreamer-frame-lengths.ts'
import type { Source } from './source.ts'

/** Two times that differ by less are the same: a frame at 240 frames a second lasts sixteen times as long. */
const SAME_TIME_SECONDS = 0.000_25
/** So many seeks may be spent to learn what the browser reports; the first pictures may still be those of earlier seeks. */
const MAX_CALIBRATION_SEEKS = 6
/** A picture that comes late is that of one of so many seeks. */
const MAX_REMEMBERED_TARGETS = 16
/** A change of the frame rate matters to so many frames on each side of it, as decoders reorder frames. */
const FRAMES_AROUND_RATE_CHANGE = 8
const isSameTime = (a: number, b: number) => Math.abs(a - b) < SAME_TIME_SECONDS

/** Whether the picture is that of the frame that was sought; `again`: one more seek inside the same frame will tell. */
export type FrameVerdict = 'yes' | 'no' | 'again'

/** What the times mean that the browser reports with its pictures. */
type ReportedTime =
  | { readonly means: 'unknown' }
  /** When the frame begins: proof of the frame. */
  | { readonly means: 'frame-start' }
  /** The time that was sought, plus `offset` seconds: proof that the seek has ended. */
  | { readonly means: 'echo'; readonly offset: number }

/** A seek that was answered by a picture: to `target` seconds of the <video>, for a frame. */
interface AnsweredSeek {
  readonly frame: number
  readonly target: number
}

/** What the player has learned about a browser's media times for one source. */
export interface Calibration {
  readonly isRendition: boolean
  /** The frame table; null where nobody has counted the frames. */
  readonly times: Timeline | null
  /** Seconds to add to a time of the <video> to get that of the frame table. */
  readonly timestampOffset: number
  /** Length of the <video>, in seconds. */
  readonly duration: number
  /** Whether a seek to a time finds the frame that the frame table has there. */
  readonly seeksByTable: boolean
  readonly reportedTime: ReportedTime
  /** Target of the seek that was first answered by a frame's start; its picture may be the first one in the file, which an edit list hides. */
  readonly suspectTarget: number | null
  /** The seek before and by how many seconds the reported time differed from its target. */
  readonly lastEcho: (AnsweredSeek & { readonly off: number }) | null
  /** What was sought last, in seconds of the <video>, the newest last. The browser begins at 0. */
  readonly recentTargets: readonly number[]
  readonly calibrationSeeks: number
  /** Nothing has been sought or played so far, so the first frame is on the screen. */
  readonly isUntouched: boolean
  /** Null where the browser knows how long each frame lasts. */
  readonly guess: FrameLengthGuess | null
}

const firstSecond = (times: Timeline) => times.start(0)
const lastSecond = (times: Timeline) => times.end(times.frames - 1)
const meanLengthOf = (times: Timeline) => (lastSecond(times) - firstSecond(times)) / times.frames
const isAsLongAs = (duration: number, times: Timeline, seconds: number) => Math.abs(duration - seconds) < meanLengthOf(times) / 4

/**
 * Begins to learn what the media times are worth that a browser reports with its pictures. Chromium reports when the frame begins, which
 * proves the frame. Firefox and WebKit echo the time that was sought, WebKit with a constant offset: an echo proves that the seek has ended,
 * and the frame is the right one where the browser's seeks run by the frame table. Firefox starts its time with the first picture in the file,
 * even with one that an edit list hides.
 * `duration`: of the <video>, in seconds. `guessesFrameLength`: the browser guesses as GStreamer does.
 */
export function startCalibration(
  { isRendition, timeline: times, timestampOffset }: Pick<Source, 'isRendition' | 'timeline' | 'timestampOffset'>,
  duration: number,
  guessesFrameLength = IS_WEBKIT_GSTREAMER,
): Calibration {
  const [first, last] = times ? [firstSecond(times), lastSecond(times)] : [0, 0]
  return {
    ...{ isRendition, times, timestampOffset, duration },
    // Sound may make a video longer than its pictures; nothing makes it shorter.
    seeksByTable: !!times && (first > 0 ? isAsLongAs(duration, times, last) : duration > last - meanLengthOf(times)),
    ...{ reportedTime: { means: 'unknown' }, suspectTarget: null, lastEcho: null },
    ...{ recentTargets: [0], calibrationSeeks: 0, isUntouched: true },
    guess: guessesFrameLength && times ? createFrameLengthGuess(meanLengthOf(times)) : null,
  }
}

const echoOffset = ({ reportedTime }: Calibration) => (reportedTime.means === 'echo' ? reportedTime.offset : 0)

/** The time by the frame table, in seconds, of a reported media time, as far as that is known. */
export const tableSeconds = (calibration: Calibration, mediaTime: number) =>
  mediaTime - echoOffset(calibration) + calibration.timestampOffset

/** Two points to seek to that show a frame, as parts of its length from its start. Two, since a seek to the present time presents nothing. */
export const seekPoints = ({ guess, times }: Calibration, frame: number): readonly [number, number] =>
  guess && times ? seekPointsByGuess(guess, times, frame) : DEFAULT_SEEK_POINTS

/** Whether the frame rate stays the same around a frame; where it changes, WebKit finds another frame than that of the time. */
function isRateSteady(times: Timeline, frame: number) {
  const lengths = Array.from({ length: 2 * FRAMES_AROUND_RATE_CHANGE + 1 }, (_, i) => frame - FRAMES_AROUND_RATE_CHANGE + i).map(
    f => times.end(f) - times.start(f),
  )
  return Math.max(...lengths) < 2 * Math.min(...lengths)
}

/** Takes note that the <video> is sought to `target` seconds. */
export const observeSeek = (calibration: Calibration, target: number): Calibration => ({
  ...calibration,
  recentTargets: [...calibration.recentTargets.slice(1 - MAX_REMEMBERED_TARGETS), target],
  isUntouched: false,
})

/** Spends one more seek on learning, if any is left. */
const askAgain = (calibration: Calibration): [Calibration, FrameVerdict] => [
  { ...calibration, calibrationSeeks: calibration.calibrationSeeks + 1 },
  calibration.calibrationSeeks < MAX_CALIBRATION_SEEKS ? 'again' : 'no',
]

/** Whether a picture is that of `frame`, for which the <video> was sought to `target` seconds; and what is known after it. */
export function judgePicture(before: Calibration, seek: AnsweredSeek, mediaTime: number): [Calibration, FrameVerdict] {
  const calibration = { ...before, isUntouched: false }
  const { times } = calibration
  if (!times) return [calibration, 'yes']
  return judgeSkippedFrame(calibration, times, seek, mediaTime) ?? judgeReportedTime(calibration, times, seek, mediaTime)
}

/** What a picture says about GStreamer's guess; null where it says nothing about it. */
function judgeSkippedFrame(
  calibration: Calibration,
  times: Timeline,
  { frame, target }: AnsweredSeek,
  mediaTime: number,
): [Calibration, FrameVerdict] | null {
  const { guess, isRendition, reportedTime, timestampOffset, seeksByTable } = calibration
  if (!guess || !(isRendition || reportedTime.means === 'echo')) return null
  const reported = mediaTime - echoOffset(calibration)
  const startsAt = (which: number) => isSameTime(reported + timestampOffset, times.start(which))
  const into = target + timestampOffset - times.start(frame)
  if (into > 0 && startsAt(frame + 1) && frame < times.frames - 1) {
    const learned = { ...guess, seconds: Math.min(guess.seconds, into), hasSkippedFrame: true, skippedFrame: frame }
    return [{ ...calibration, guess: learned }, guess.skippedFrame === frame ? 'no' : 'again']
  }
  if (guess.hasSkippedFrame && seeksByTable && into < 0 && startsAt(frame)) return [calibration, 'yes']
  // The frame before lasts until there after all: the picture that seemed to skip a frame came from before the seek.
  if (guess.hasSkippedFrame && into < 0 && isSameTime(reported, target))
    return [{ ...calibration, guess: { ...guess, seconds: guess.maxSeconds, hasSkippedFrame: false } }, 'again']
  return null
}

function judgeReportedTime(calibration: Calibration, times: Timeline, seek: AnsweredSeek, mediaTime: number): [Calibration, FrameVerdict] {
  const { frame, target } = seek
  const { isRendition, guess, reportedTime, suspectTarget, timestampOffset } = calibration
  const isPastPrevious = (seconds: number) => !guess || isBeyondPrevious(guess, times, frame, seconds + timestampOffset)
  const isFrameStart = isSameTime(mediaTime + timestampOffset, times.start(frame))
  if (isRendition) {
    const isInside = times.within(frame, mediaTime + timestampOffset)
    // An earlier time than the target is that of an earlier seek to the same frame.
    return [calibration, isInside && (isFrameStart || isPastPrevious(Math.min(target, mediaTime))) ? 'yes' : 'no']
  }
  if (isFrameStart) {
    if (times.hidden && reportedTime.means !== 'frame-start' && (suspectTarget ?? target) === target)
      return askAgain({ ...calibration, suspectTarget: target })
    return [{ ...calibration, reportedTime: { means: guess ? 'unknown' : 'frame-start' } }, 'yes']
  }
  if (reportedTime.means === 'frame-start') return [calibration, 'no']
  return judgeEcho(calibration, times, seek, mediaTime, isPastPrevious(target))
}

function judgeEcho(
  calibration: Calibration,
  times: Timeline,
  seek: AnsweredSeek,
  mediaTime: number,
  isPastPrevious: boolean,
): [Calibration, FrameVerdict] {
  const { frame, target } = seek
  const { duration, lastEcho } = calibration
  const [first, last] = [firstSecond(times), lastSecond(times)]
  const off = mediaTime - target
  const isExactEcho = isSameTime(off, 0)
  const seeksByTable = calibration.seeksByTable && !(isExactEcho && times.hidden)
  if (isExactEcho && calibration.timestampOffset < first)
    return [{ ...calibration, timestampOffset: first, seeksByTable: isAsLongAs(duration, times, last - first) }, 'again']
  // A late picture repeats the target of an earlier seek. It teaches nothing: another frame of this length has its seek points as far apart.
  const isEarlierEcho = !isExactEcho && calibration.recentTargets.some(earlier => isSameTime(mediaTime, earlier))
  // A reported time that moves along with the target inside one frame is an echo: no picture does that.
  const movesAlong = !isEarlierEcho && lastEcho?.frame === frame && !isSameTime(lastEcho.target, target) && isSameTime(lastEcho.off, off)
  const learned: Calibration = {
    ...{ ...calibration, seeksByTable, lastEcho: isEarlierEcho ? null : { ...seek, off } },
    reportedTime: isExactEcho || movesAlong ? { means: 'echo', offset: off } : calibration.reportedTime,
  }
  const { reportedTime } = learned
  if (reportedTime.means !== 'echo') return askAgain(learned)
  const isProof =
    seeksByTable &&
    isSameTime(off, reportedTime.offset) &&
    (isSameTime(reportedTime.offset, 0) || isRateSteady(times, frame)) &&
    isPastPrevious
  return [learned, isProof ? 'yes' : 'no']
}

/** Takes note of a picture that the browser presents by itself while the video is paused. */
export function observeResting(calibration: Calibration, mediaTime: number): Calibration {
  const { isUntouched, times, isRendition } = calibration
  if (!isUntouched || !times || isRendition || firstSecond(times) || times.hidden) return calibration
  return { ...calibration, reportedTime: { means: 'echo', offset: mediaTime } }
}

/**
 * Takes note that the video plays; and whether `tableSeconds` of this picture gives the frame that is on the screen. GStreamer reports its
 * first picture after a seek under the time that was sought, which may lie in another frame; those that follow begin with their frames.
 */
export function observePlaying(before: Calibration, mediaTime: number): [Calibration, isKnown: boolean] {
  const calibration = { ...before, isUntouched: false }
  const { times, isRendition, reportedTime, seeksByTable, guess } = calibration
  if (!times) return [calibration, false]
  const isTrusted = isRendition || reportedTime.means === 'frame-start' || (seeksByTable && reportedTime.means === 'echo')
  const seconds = tableSeconds(calibration, mediaTime)
  return [calibration, isTrusted && (!guess || isSameTime(seconds, times.start(times.at(seconds))))]
}
