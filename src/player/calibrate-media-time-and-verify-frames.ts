import type { FrameTimeline } from '../../modules/media/frames.ts'
import {
  createFrameLengthGuess,
  DEFAULT_SEEK_POINTS_IN_FRAME,
  type FrameLengthGuess,
  IS_WEBKIT_GSTREAMER,
  isSeekPastPreviousFrameByGuess,
  seekPointsByGuess,
} from '../browser-quirks/gstreamer-frame-length-guess.ts'
import type { VideoElementSource } from './clip-source.ts'

/** Two times that differ by less than this count as equal. A frame at 240 frames per second lasts sixteen times as long. */
const SAME_TIME_SECONDS = 0.000_25
/**
 * The maximum number of seeks used to find out which time the browser reports. Two are not enough, because the first pictures may belong to
 * earlier seeks.
 */
const MAX_CALIBRATION_SEEKS = 6
/** The player remembers this many seek targets, the current one included, to recognize a picture that arrives late. */
const MAX_REMEMBERED_TARGETS = 16
/** A change of the frame rate affects this many frames on each side of it, because decoders reorder frames. */
const FRAMES_AROUND_RATE_CHANGE = 8
const isSameTime = (a: number, b: number) => Math.abs(a - b) < SAME_TIME_SECONDS

/** Whether the picture is that of the requested frame. `again`: one more seek inside the same frame is needed to know. */
export type FrameVerdict = 'yes' | 'no' | 'again'

/** The meaning of the times that the browser reports with its pictures. */
type ReportedTime =
  | { readonly means: 'unknown' }
  /** The start of the frame, which proves the frame. */
  | { readonly means: 'frame-start' }
  /** The seek target plus `offset` seconds, which only proves that the seek has ended. */
  | { readonly means: 'echo'; readonly offset: number }

/**
 * A seek after which the browser presented a picture. `target`: the time that the player set, in seconds on the <video>'s timeline.
 * `isPlaying`: the video plays, so the picture may be one that playback has reached.
 */
interface AnsweredSeek {
  readonly frame: number
  readonly target: number
  readonly isPlaying: boolean
}

/** What the player has learned about a browser's media times for one source. */
export interface Calibration {
  readonly isRendition: boolean
  /** The frame table; null if there is none or it could not be fetched. */
  readonly times: FrameTimeline | null
  /** Seconds to add to a time of the <video> to get the time in the frame table. */
  readonly timestampOffset: number
  /** Duration of the <video>, in seconds. */
  readonly duration: number
  /** Whether the browser, after a seek to a time, shows the frame that the frame table has at that time. */
  readonly seeksByTable: boolean
  readonly reportedTime: ReportedTime
  /**
   * Target of the first seek after which the browser reported the start of the requested frame; null until then. One such report proves
   * nothing, because its picture may be the first one in the file, hidden by an edit list, or one from before the seek. A second seek, to
   * another point of the frame, must confirm it.
   */
  readonly suspectTarget: number | null
  /**
   * The previous seek, with the reported time minus its target in seconds; null before the first one and after a late picture of an earlier
   * seek.
   */
  readonly lastEcho: (AnsweredSeek & { readonly difference: number }) | null
  /** The most recent seek targets, the newest last, in seconds on the <video>'s timeline. At first only 0, where every <video> starts. */
  readonly recentTargets: readonly number[]
  readonly calibrationSeeks: number
  /** The video has neither played nor made a seek, so the first frame is on the screen. */
  readonly isUntouched: boolean
  /**
   * Whether the browser has presented a picture of this source. If not, the picture that follows a seek may still show the clip's first
   * frame instead of the requested one.
   */
  readonly hasPresentedPicture: boolean
  /** What the player knows about the frame length that GStreamer guesses; null in browsers that do not guess. */
  readonly guess: FrameLengthGuess | null
}

const firstSecond = (times: FrameTimeline) => times.start(0)
const lastSecond = (times: FrameTimeline) => times.end(times.frames - 1)
const meanLengthOf = (times: FrameTimeline) => (lastSecond(times) - firstSecond(times)) / times.frames
const isAsLongAs = (duration: number, times: FrameTimeline, seconds: number) => Math.abs(duration - seconds) < meanLengthOf(times) / 4

/**
 * Starts to learn the meaning of the media times that a browser reports with its pictures. Chromium reports the start of the frame, which
 * proves the frame. Firefox and WebKit echo the seek target, WebKit with a constant offset: an echo only proves that the seek has ended,
 * and the frame is the right one if the browser seeks by the frame table. Firefox's time 0 is the first picture in the file, even if an
 * edit list hides that picture. `duration`: of the <video>, in seconds. `guessesFrameLength`: the browser guesses frame lengths as
 * GStreamer does.
 */
export function createCalibration(
  { isRendition, timeline: times, timestampOffset }: Pick<VideoElementSource, 'isRendition' | 'timeline' | 'timestampOffset'>,
  duration: number,
  guessesFrameLength = IS_WEBKIT_GSTREAMER,
): Calibration {
  const [first, last] = times ? [firstSecond(times), lastSecond(times)] : [0, 0]
  return {
    isRendition,
    times,
    timestampOffset,
    duration,
    // The sound may end after the last picture, so the <video> may be longer than the frame table, but never shorter. If the first frame
    // starts after 0, browsers count from 0 or from that frame; only a <video> that ends with the table is known to count from 0.
    seeksByTable: !!times && (first > 0 ? isAsLongAs(duration, times, last) : duration > last - meanLengthOf(times)),
    reportedTime: { means: 'unknown' },
    suspectTarget: null,
    lastEcho: null,
    recentTargets: [0],
    calibrationSeeks: 0,
    isUntouched: true,
    hasPresentedPicture: false,
    guess: guessesFrameLength && times ? createFrameLengthGuess(meanLengthOf(times)) : null,
  }
}

const echoOffset = ({ reportedTime }: Calibration) => (reportedTime.means === 'echo' ? reportedTime.offset : 0)

/** Converts a reported media time to a time in the frame table, in seconds, as far as the offset is known. */
export const toFrameTableSeconds = (calibration: Calibration, mediaTime: number) =>
  mediaTime - echoOffset(calibration) + calibration.timestampOffset

/**
 * Two points to seek to that show a frame, as fractions of its length from its start. There are two because a seek to the current time
 * presents no picture.
 */
export const seekPoints = ({ guess, times }: Calibration, frame: number): readonly [number, number] =>
  guess && times ? seekPointsByGuess(guess, times, frame) : DEFAULT_SEEK_POINTS_IN_FRAME

/**
 * Whether the frame rate is steady around a frame: no frame lasts twice as long as another. Where the rate changes, a seek in WebKit may
 * show a neighboring frame.
 */
function isRateSteady(times: FrameTimeline, frame: number) {
  const lengths = Array.from({ length: 2 * FRAMES_AROUND_RATE_CHANGE + 1 }, (_, i) => frame - FRAMES_AROUND_RATE_CHANGE + i).map(
    f => times.end(f) - times.start(f),
  )
  return Math.max(...lengths) < 2 * Math.min(...lengths)
}

/** Records that the <video> seeks to `target` seconds. */
export const recordSeekTarget = (calibration: Calibration, target: number): Calibration => ({
  ...calibration,
  recentTargets: [...calibration.recentTargets.slice(1 - MAX_REMEMBERED_TARGETS), target],
  isUntouched: false,
})

/** Spends one more seek on calibration; the verdict is 'no' if none is left. */
const askAgain = (calibration: Calibration): [Calibration, FrameVerdict] => [
  { ...calibration, calibrationSeeks: calibration.calibrationSeeks + 1 },
  calibration.calibrationSeeks < MAX_CALIBRATION_SEEKS ? 'again' : 'no',
]

/**
 * Judges whether a picture shows `frame`, for which the <video> made a seek to `target` seconds. Returns the updated calibration and the
 * verdict, which is always 'yes' without a frame table.
 */
export function verifyPresentedFrame(before: Calibration, seek: AnsweredSeek, mediaTime: number): [Calibration, FrameVerdict] {
  const calibration = { ...before, isUntouched: false, hasPresentedPicture: true }
  const { times } = calibration
  if (!times) return [calibration, 'yes']
  const isFirstPicture = !before.hasPresentedPicture
  return judgeSkippedFrame(calibration, times, seek, mediaTime) ?? judgeReportedTime(calibration, times, seek, mediaTime, isFirstPicture)
}

/** Checks whether a picture reveals that GStreamer skipped the requested frame, or that it did not; null if neither can be concluded. */
function judgeSkippedFrame(
  calibration: Calibration,
  times: FrameTimeline,
  { frame, target, isPlaying }: AnsweredSeek,
  mediaTime: number,
): [Calibration, FrameVerdict] | null {
  const { guess, isRendition, reportedTime, timestampOffset, seeksByTable } = calibration
  if (!guess || isPlaying || !(isRendition || reportedTime.means === 'echo')) return null
  const reported = mediaTime - echoOffset(calibration)
  const startsAt = (which: number) => isSameTime(reported + timestampOffset, times.start(which))
  const into = target + timestampOffset - times.start(frame)
  if (into > 0 && startsAt(frame + 1) && frame < times.frames - 1) {
    const learned = { ...guess, seconds: Math.min(guess.seconds, into), hasSkippedFrame: true, skippedFrame: frame }
    return [{ ...calibration, guess: learned }, guess.skippedFrame === frame ? 'no' : 'again']
  }
  if (guess.hasSkippedFrame && seeksByTable && into < 0 && startsAt(frame)) return [calibration, 'yes']
  // GStreamer reports the seek target itself, so the picture is still the previous frame, which by GStreamer's guess lasts beyond the
  // target. No frame was skipped: the picture that seemed to skip one was a late picture of an earlier seek.
  if (guess.hasSkippedFrame && into < 0 && isSameTime(reported, target))
    return [{ ...calibration, guess: { ...guess, seconds: guess.maxSeconds, hasSkippedFrame: false } }, 'again']
  return null
}

function judgeReportedTime(
  calibration: Calibration,
  times: FrameTimeline,
  seek: AnsweredSeek,
  mediaTime: number,
  isFirstPicture: boolean,
): [Calibration, FrameVerdict] {
  const { frame, target } = seek
  const { isRendition, guess, reportedTime, suspectTarget, timestampOffset } = calibration
  const isPastPrevious = (seconds: number) => !guess || isSeekPastPreviousFrameByGuess(guess, times, frame, seconds + timestampOffset)
  const isFrameStart = isSameTime(mediaTime + timestampOffset, times.start(frame))
  if (isRendition) {
    const isInside = times.within(frame, mediaTime + timestampOffset)
    // A time before the target belongs to an earlier seek to the same frame.
    return [calibration, isInside && (isFrameStart || isPastPrevious(Math.min(target, mediaTime))) ? 'yes' : 'no']
  }
  if (isFrameStart) {
    // The first picture may be one from before the seek; on a clock with an offset, its time can equal the start of the requested frame.
    if ((times.hidden || isFirstPicture) && reportedTime.means !== 'frame-start' && (suspectTarget ?? target) === target)
      return askAgain({ ...calibration, suspectTarget: target })
    return [{ ...calibration, reportedTime: { means: guess ? 'unknown' : 'frame-start' } }, 'yes']
  }
  if (reportedTime.means === 'frame-start') return [calibration, 'no']
  return judgeEcho(calibration, times, seek, mediaTime, isPastPrevious(target))
}

function judgeEcho(
  calibration: Calibration,
  times: FrameTimeline,
  seek: AnsweredSeek,
  mediaTime: number,
  isPastPrevious: boolean,
): [Calibration, FrameVerdict] {
  const { frame, target } = seek
  const { duration, lastEcho } = calibration
  const [first, last] = [firstSecond(times), lastSecond(times)]
  const difference = mediaTime - target
  const isExactEcho = isSameTime(difference, 0)
  const seeksByTable = calibration.seeksByTable && !(isExactEcho && times.hidden)
  if (isExactEcho && calibration.timestampOffset < first)
    return [{ ...calibration, timestampOffset: first, seeksByTable: isAsLongAs(duration, times, last - first) }, 'again']
  // A late picture belongs to an earlier seek, and its media time equals that seek's target. Do not learn an offset from it: if all
  // frames have the same duration, targets are evenly spaced, so two late pictures would differ from the current targets by the same
  // amount, just as in a browser with a constant offset.
  const isEarlierEcho = !isExactEcho && calibration.recentTargets.some(earlier => isSameTime(mediaTime, earlier))
  // If the reported time changes with the target inside one frame, it is an echo, because the start of a frame does not change.
  const movesAlong =
    !isEarlierEcho && lastEcho?.frame === frame && !isSameTime(lastEcho.target, target) && isSameTime(lastEcho.difference, difference)
  const learned: Calibration = {
    ...calibration,
    seeksByTable,
    lastEcho: isEarlierEcho ? null : { ...seek, difference },
    reportedTime: isExactEcho || movesAlong ? { means: 'echo', offset: difference } : calibration.reportedTime,
  }
  const { reportedTime } = learned
  if (reportedTime.means !== 'echo') return askAgain(learned)
  const isProof =
    seeksByTable &&
    isSameTime(difference, reportedTime.offset) &&
    (isSameTime(reportedTime.offset, 0) || isRateSteady(times, frame)) &&
    isPastPrevious
  return [learned, isProof ? 'yes' : 'no']
}

/**
 * Records a picture that the browser presents while the video is paused and no seek is pending. In an untouched original whose first frame
 * starts at 0, the picture is that frame, so its media time is the offset of the browser's times.
 */
export function calibrateOnPausedPicture(calibration: Calibration, mediaTime: number): Calibration {
  const { isUntouched, times, isRendition } = calibration
  const presented = { ...calibration, hasPresentedPicture: true }
  if (!isUntouched || !times || isRendition || firstSecond(times) || times.hidden) return presented
  return { ...presented, reportedTime: { means: 'echo', offset: mediaTime } }
}

/**
 * Records that the video plays, and returns whether `toFrameTableSeconds` of this picture identifies the frame on the screen. GStreamer
 * reports the first picture after a seek with the time of the seek target, which may be in another frame; for later pictures it reports the
 * start of the frame.
 */
export function verifyPlayingMediaTime(before: Calibration, mediaTime: number): [Calibration, isKnown: boolean] {
  const calibration = { ...before, isUntouched: false, hasPresentedPicture: true }
  const { times, isRendition, reportedTime, seeksByTable, guess } = calibration
  if (!times) return [calibration, false]
  const isTrusted = isRendition || reportedTime.means === 'frame-start' || (seeksByTable && reportedTime.means === 'echo')
  const seconds = toFrameTableSeconds(calibration, mediaTime)
  return [calibration, isTrusted && (!guess || isSameTime(seconds, times.start(times.at(seconds))))]
}
