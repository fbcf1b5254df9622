/** A picture of one clip, and the frame that it shows. */
export interface FramePicture {
  frame: number
  image: CanvasImageSource
}

/** The picture of a clip that is due, and those that are needed next. */
export interface PictureRequest {
  frame: number
  /** The frames that are needed next, in the order in which they are needed. */
  upcoming: readonly number[]
  /** Position in the clip, in seconds of real time. */
  seconds: number
  /** How fast that position advances; 0 while the clock is stopped. */
  speed: number
}

/** Provides the pictures of one clip. */
export interface PictureSource {
  /** Called before each repaint of the canvas. */
  setTarget(target: PictureRequest): void
  /** The picture of the target's frame if it is ready, otherwise that of the nearest frame; null before the first picture is ready. */
  picture(): FramePicture | null
  /** The picture of a frame near the target's; null if it is not ready. */
  pictureOf(frame: number): CanvasImageSource | null
  /** Sets the largest size at which pictures are painted, in device pixels. */
  setSize(width: number, height: number): void
  close(): void
}
