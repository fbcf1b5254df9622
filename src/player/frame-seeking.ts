import type { PlayerMedia, PlayerStores } from './player-state.ts'
import { onNextFrame, REPORTS_FRAMES } from './quirks/reports-frames.ts'

/** After so long without the new picture the nearest still is shown in its place. */
const SHOW_STILL_AFTER_MS = 60
/** When a seek has ended and its picture has not come for so long, the player seeks once more, … */
const SEEK_RETRY_MS = 150
/** … so many times in all. */
const MAX_SEEK_TRIES = 3

/**
 * Seeks the <video> to `$frame`, one seek at a time, and finds out from the times that the browser reports whether the picture on the screen
 * is that frame's.
 */
export function createFrameSeeker(
  media: PlayerMedia,
  { $frame, $time, $isConfirmed, $unprovenFrame, $isPictureLate, $loop }: PlayerStores,
) {
  /** The frame that is being sought; undefined between seeks. */
  let aimedFrame: number | undefined
  /** Where the last seek went, in seconds of the <video>. */
  let targetSeconds = 0
  /** Table time of the picture that was presented last; a browser does not report again when a seek ends at the same picture. */
  let shownSeconds: number | undefined
  /** The frame that this picture is known to be. */
  let provenFrame: number | undefined
  /** The video was sought or played since a picture was last proven to be that of `$frame`. */
  let isDoubtful = false
  let tries = 0
  /** Whether the last seek went to the second of a frame's two seek points. */
  let usesSecondPoint = false
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let lateTimer: ReturnType<typeof setTimeout> | undefined

  const isProven = (frame: number) => provenFrame === frame && !!media.source?.timeline

  function setFrame(frame: number) {
    $frame.set(frame)
    $time.set(media.timeline.milliseconds(frame))
  }

  /** Reads every picture that the browser presents in this <video>, for as long as it is the attached one. */
  function watchPictures(element: HTMLVideoElement) {
    onNextFrame(element, mediaTime => {
      if (element !== media.video) return
      handlePicture(mediaTime)
      watchPictures(element)
    })
  }

  /** The browser has presented the picture of this time, in seconds of its own. */
  function handlePicture(mediaTime: number) {
    const { video, source, timeline, calibration } = media
    if (!video || !source || !calibration) return
    if (aimedFrame !== undefined) {
      const verdict = calibration.judgePicture(aimedFrame, targetSeconds, mediaTime)
      provenFrame = verdict === 'yes' ? aimedFrame : undefined
      source.timestampOffset = calibration.timestampOffset()
      shownSeconds = calibration.tableSeconds(mediaTime)
      // Any other verdict means the picture of an earlier seek.
      if (verdict === 'yes') finishSeek(source.timeline !== null)
      else if (verdict === 'again') seekInside(aimedFrame, true)
    } else if (!video.paused && !video.seeking) {
      const isKnown = calibration.observePlaying()
      shownSeconds = calibration.tableSeconds(mediaTime)
      setFrame(timeline.at(shownSeconds))
      provenFrame = isKnown ? $frame.get() : undefined
      isDoubtful = !isKnown
      $isConfirmed.set(isKnown)
      const loop = $loop.get()
      if (loop && ($frame.get() >= loop.to || $frame.get() < loop.from))
        video.currentTime = timeline.middle(timeline.clamp(loop.from)) - source.timestampOffset
    } else if (video.paused && !video.seeking && isDoubtful && calibration.judgePicture($frame.get(), targetSeconds, mediaTime) === 'yes') {
      // The picture came after all, when the player had given it up.
      shownSeconds = calibration.tableSeconds(mediaTime)
      provenFrame = $frame.get()
      isDoubtful = false
      $isConfirmed.set(source.timeline !== null)
    } else {
      if (!video.seeking) calibration.observeResting(mediaTime)
      shownSeconds = calibration.tableSeconds(mediaTime)
    }
  }

  function finishSeek(isKnown: boolean) {
    clearTimeout(retryTimer)
    clearTimeout(lateTimer)
    const isCurrent = aimedFrame === $frame.get()
    aimedFrame = undefined
    tries = 0
    if (!isCurrent) return seekToFrame()
    $isPictureLate.set(false)
    isDoubtful = !isKnown
    $isConfirmed.set(isKnown)
    if (!isKnown && !media.source?.isRendition) $unprovenFrame.set($frame.get())
  }

  /** Seeks to `$frame`; where a seek is under way, the next one starts when that has ended. */
  function seekToFrame() {
    const { video, source } = media
    if (!video || !source || aimedFrame !== undefined) return
    if ($isConfirmed.get() && video.paused && isProven($frame.get())) return
    aimedFrame = $frame.get()
    tries++
    $isConfirmed.set(false)
    $unprovenFrame.set(null)
    clearTimeout(lateTimer)
    lateTimer = setTimeout(() => $isPictureLate.set(aimedFrame !== undefined), SHOW_STILL_AFTER_MS)
    seekInside(aimedFrame, tries > 1)
  }

  /**
   * Seeks to a point inside a frame, where no rounding shows its neighbor. Setting `currentTime` to its present value presents no picture, so
   * retries alternate between two points.
   */
  function seekInside(frame: number, isRetry: boolean) {
    const { video, source, timeline, calibration } = media
    usesSecondPoint = isRetry && !usesSecondPoint
    const length = timeline.end(frame) - timeline.start(frame)
    const point = calibration!.seekPoints(frame)[usesSecondPoint ? 1 : 0]
    targetSeconds = timeline.middle(frame) + length * (point - 1 / 2) - source!.timestampOffset
    video!.currentTime = targetSeconds
  }

  return {
    setFrame,
    watchPictures,
    seekToFrame,

    /** For the `seeked` event: the seek has ended, but its picture may come later or not at all. */
    handleSeeked() {
      if (aimedFrame === undefined) return
      if (media.video && !media.video.paused) {
        aimedFrame = undefined
        tries = 0
        clearTimeout(lateTimer)
        $isPictureLate.set(false)
        return
      }
      clearTimeout(retryTimer)
      retryTimer = setTimeout(
        () => {
          if (aimedFrame === undefined) return
          if (isProven(aimedFrame)) return finishSeek(true)
          if (!REPORTS_FRAMES || aimedFrame !== $frame.get() || tries >= MAX_SEEK_TRIES)
            return finishSeek(!REPORTS_FRAMES && media.source?.isRendition === true)
          aimedFrame = undefined
          seekToFrame()
        },
        REPORTS_FRAMES ? SEEK_RETRY_MS : 0,
      )
    },

    /** Makes the browser present the picture of `$frame` once more, if the video stands still. */
    repaint() {
      const { video, source } = media
      if (!video?.paused || video.seeking || !source || shownSeconds === undefined || aimedFrame !== undefined) return
      seekInside($frame.get(), true)
    },

    /** Forgets all that is known of the pictures: another source takes the place of this one. */
    reset() {
      clearTimeout(retryTimer)
      clearTimeout(lateTimer)
      $isPictureLate.set(false)
      ;[aimedFrame, shownSeconds, provenFrame] = [undefined, undefined, undefined]
      isDoubtful = false
      tries = 0
    },
    stop() {
      clearTimeout(retryTimer)
      clearTimeout(lateTimer)
    },

    isSeeking: () => aimedFrame !== undefined,
    /** Whether `$frame` may be named in a note: frames are counted, and the picture is not in doubt. */
    isFrameCertain: () => !!media.source?.timeline && !isDoubtful,
    /** The frame whose picture is on the screen; undefined where the browser does not report it. */
    shownFrame: () => (shownSeconds === undefined ? undefined : media.timeline.at(shownSeconds)),
  }
}
export type FrameSeeker = ReturnType<typeof createFrameSeeker>
