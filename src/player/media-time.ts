import { IS_WEBKIT_GSTREAMER } from './quirks/gstreamer.ts'
import type { Source } from './source.ts'

/** Two times that differ by less are the same: a frame at 240 frames a second lasts sixteen times as long. */
const SAME_TIME_SECONDS = 0.000_25
/** So many seeks may be spent to learn what the browser reports; the first pictures may still be those of earlier seeks. */
const MAX_CALIBRATION_SEEKS = 6
/** A change of the frame rate matters to so many frames on each side of it, as decoders reorder frames. */
const FRAMES_AROUND = 8
const isSameTime = (a: number, b: number) => Math.abs(a - b) < SAME_TIME_SECONDS
/** GStreamer rounds the mean length of a frame: to so many times ours at most. */
const MAX_MEAN_ROUNDING = 1.02

/** Whether the picture is that of the frame that was sought; `again`: one more seek inside the same frame will tell. */
type Verdict = 'yes' | 'no' | 'again'

/**
 * Learns what the media times are worth that a browser reports with its pictures. Chromium reports when the frame begins, which proves the
 * frame. Firefox and WebKit echo the time that was sought, WebKit with a constant offset: an echo proves that the seek has ended, and the frame
 * is the right one where the browser's seeks run by the frame table. Firefox starts its time with the first picture in the file, even with one
 * that an edit list hides. WebKit on Linux (GStreamer) guesses how long each frame lasts, and may find the next frame instead.
 * `duration`: of the <video>, in seconds. `guessesFrameLength`: the browser guesses as GStreamer does.
 */
export function createMediaTimeCalibration(
  { isRendition, timeline: times, timestampOffset: initialOffset }: Pick<Source, 'isRendition' | 'timeline' | 'timestampOffset'>,
  duration: number,
  guessesFrameLength = IS_WEBKIT_GSTREAMER,
) {
  let timestampOffset = initialOffset
  const [first, last] = times ? [times.start(0), times.end(times.frames - 1)] : [0, 0]
  const meanLength = times ? (last - first) / times.frames : 0
  const isAsLongAs = (seconds: number) => Math.abs(duration - seconds) < meanLength / 4
  /** Seeks run by the frame table. Sound may make a video longer than its pictures; nothing makes it shorter. */
  let seeksByTable = first > 0 ? isAsLongAs(last) : duration > last - meanLength
  /** The browser reports when frames begin. */
  let reportsFrameStarts = false
  /** The target of the seek that first gave that impression; its picture may be the first one in the file, which an edit list hides. */
  let suspectTarget: number | undefined
  /** Of a browser that echoes the time that was sought: by how many seconds its echo differs. */
  let echoOffset: number | undefined
  let lastEcho: { frame: number; target: number; off: number } | undefined
  let calibrationSeeks = 0
  /** Nothing has been sought or played so far, so the first frame is on the screen. */
  let isUntouched = true
  /** The browser takes no frame to last longer than this, in seconds; 0 where it knows the length of each. */
  const maxGuessedLength = guessesFrameLength ? meanLength * MAX_MEAN_ROUNDING : 0
  let guessedLength = maxGuessedLength
  /** A seek found the frame after the one that was meant, as the browser took that to end before its middle. */
  let hasSkippedFrame = false
  let skippedFrame: number | undefined
  const lengthOf = (frame: number) => times!.end(frame) - times!.start(frame)
  const lengthBefore = (frame: number) => (frame > 0 ? lengthOf(frame - 1) : Number.POSITIVE_INFINITY)
  /** Whether the browser cannot take the frame before to last until `target`. */
  const isBeyondPrevious = (frame: number, target: number) =>
    !guessedLength || guessedLength < lengthBefore(frame) + target + timestampOffset - times!.start(frame)

  /** Whether the frame rate stays the same around a frame; where it changes, WebKit finds another frame than that of the time. */
  const isRateSteady = (frame: number) => {
    const lengths = Array.from({ length: 2 * FRAMES_AROUND + 1 }, (_, i) => frame - FRAMES_AROUND + i).map(
      f => times!.end(f) - times!.start(f),
    )
    return Math.max(...lengths) < 2 * Math.min(...lengths)
  }

  return {
    /** Seconds to add to a time of the <video> to get that of the frame table. */
    timestampOffset: () => timestampOffset,
    /** The time by the frame table, in seconds, of a reported media time, as far as that is known. */
    tableSeconds: (mediaTime: number) => mediaTime - (echoOffset ?? 0) + timestampOffset,

    /** Two points to seek to that show a frame, as parts of its length from its start; below 0: before it. Two, since a seek to the present time presents nothing. */
    seekPoints(frame: number): readonly [number, number] {
      if (!guessedLength) return [0.5, 0.625]
      const [long, before] = [guessedLength / lengthOf(frame), lengthBefore(frame) / lengthOf(frame)]
      if (hasSkippedFrame && frame === 0) return [0, 0]
      // After the end that the browser assumes for the frame before, and ahead of the one it assumes for this frame.
      if (hasSkippedFrame && long < before * (7 / 8)) return [-before / 8, -before / 16]
      if (hasSkippedFrame && long < 1) return [long - before / 2, long - before / 4]
      return long > before + 1 / 2 ? [0.9, 0.8] : [0.5, 0.625]
    },

    /** Whether a picture is that of `frame`, for which the <video> was sought to `target` seconds. */
    judgePicture(frame: number, target: number, mediaTime: number): Verdict {
      isUntouched = false
      if (!times) return 'yes'
      if (guessedLength && (isRendition || echoOffset !== undefined)) {
        const startsAt = (which: number) => isSameTime(mediaTime - (echoOffset ?? 0) + timestampOffset, times.start(which))
        const into = target + timestampOffset - times.start(frame)
        if (into > 0 && startsAt(frame + 1) && frame < times.frames - 1) {
          guessedLength = Math.min(guessedLength, into)
          hasSkippedFrame = true
          if (skippedFrame === frame) return 'no'
          skippedFrame = frame
          return 'again'
        }
        if (hasSkippedFrame && seeksByTable && into < 0 && startsAt(frame)) return 'yes'
        // The frame before lasts until there after all: the picture that seemed to skip a frame came from before the seek.
        if (hasSkippedFrame && into < 0 && isSameTime(mediaTime - (echoOffset ?? 0), target)) {
          hasSkippedFrame = false
          guessedLength = maxGuessedLength
          return 'again'
        }
      }
      const begins = isSameTime(mediaTime + timestampOffset, times.start(frame))
      if (isRendition) return times.within(frame, mediaTime + timestampOffset) && (begins || isBeyondPrevious(frame, target)) ? 'yes' : 'no'
      if (begins) {
        if (times.hidden && !reportsFrameStarts && (suspectTarget ?? target) === target) {
          suspectTarget = target
          return calibrationSeeks++ < MAX_CALIBRATION_SEEKS ? 'again' : 'no'
        }
        reportsFrameStarts = !guessedLength
        echoOffset = undefined
        return 'yes'
      }
      if (reportsFrameStarts) return 'no'
      const off = mediaTime - target
      if (isSameTime(off, 0) && times.hidden) seeksByTable = false
      if (isSameTime(off, 0) && timestampOffset < first) {
        timestampOffset = first
        seeksByTable = isAsLongAs(last - first)
        return 'again'
      }
      // A reported time that moves along with the target inside one frame is an echo: no picture does that.
      if (isSameTime(off, 0) || (lastEcho?.frame === frame && !isSameTime(lastEcho.target, target) && isSameTime(lastEcho.off, off)))
        echoOffset = off
      lastEcho = { frame, target, off }
      if (echoOffset === undefined) return calibrationSeeks++ < MAX_CALIBRATION_SEEKS ? 'again' : 'no'
      return seeksByTable &&
        isSameTime(off, echoOffset) &&
        (isSameTime(echoOffset, 0) || isRateSteady(frame)) &&
        isBeyondPrevious(frame, target)
        ? 'yes'
        : 'no'
    },

    /** Takes note of a picture that the browser presents by itself while the video is paused. */
    observeResting(mediaTime: number) {
      if (isUntouched && times && !isRendition && !first && !times.hidden) echoOffset = mediaTime
    },

    /** Takes note that the video plays; returns whether `tableSeconds` then gives the frame that is on the screen. */
    observePlaying(): boolean {
      isUntouched = false
      return !!times && (isRendition || reportsFrameStarts || (seeksByTable && echoOffset !== undefined))
    },
  }
}
export type MediaTimeCalibration = ReturnType<typeof createMediaTimeCalibration>
