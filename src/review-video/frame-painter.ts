import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Note } from '../../modules/folders/contract.ts'
import type { OnionSkin } from '../../modules/reviews/contract.ts'
import { type CaptionLayout, layOutCaptions } from '../comparison/caption-layout.ts'
import { DEFAULT_ONION_SKIN, onionSkinLayers, tintPicture } from '../comparison/onion-skin-layers.ts'
import { layOutPictures, paintComparedPictures } from '../comparison/paint-compared-pictures.ts'
import { paintShape } from '../drawing/paint-shape.ts'
import { PICTURE_FONT_FAMILIES } from '../drawing/picture-font-families.ts'
import { setTextMeasuringCanvas } from '../drawing/shape-text-font-and-size.ts'
import { clampViewport, pictureRect } from '../drawing/viewport.ts'
import { GOAL_STATE_HEADINGS } from '../feedback/watch/review-playlist.ts'
import { type StageContent, visibleShapes } from '../feedback/watch/stage-content.ts'
import { NOTE_KIND_DISPLAY } from '../folders/notes.ts'
import { wrapTextToWidth } from '../ui/wrap-text-to-width.ts'
import { captionLinesAt, shortenToWidth } from './caption-paging-and-truncation.ts'
import { installFontsAndPath2D } from './install-fonts-and-path2d.ts'
import { colorOfClass, STUDIO_COLORS, studioInks } from './studio-colors.ts'

/** Font sizes, line heights and padding in pixels, for a picture whose shorter side is always 720 pixels long. */
const CAPTION = { size: 30, line: 40, padding: 20 }
const GOAL = { title: 30, size: 48, line: 62 }
const CLIP_NAME = { size: 20, padding: 8 }
/** If overlaid pictures leave at least this margin on each side, the names of their clips are next to the pictures, not on them. */
const MIN_CLIP_NAME_MARGIN_PX = 220
/** Reserves room for the frame number, so that the name before it is not shortened differently as the number grows. */
const WIDEST_FRAME_NUMBER = ' · 00000'
const font = (weight: number, size: number) => `${weight} ${size}px ${PICTURE_FONT_FAMILIES}`

type ClipContent = StageContent & { kind: 'clip' }
type ComparisonContent = StageContent & { kind: 'comparison' }
/** The painting code is typed for the browser's canvas. The @napi-rs canvas implements all methods that this code uses. */
const asBrowserContext = (context: SKRSContext2D) => context as unknown as CanvasRenderingContext2D
const asBrowserImage = (image: Canvas) => image as unknown as CanvasImageSource

/**
 * Creates a painter that paints what the stage shows onto a canvas of the video's size. Drawings and compared pictures are painted by the
 * same code as in browsers.
 */
export function createFramePainter({ width, height }: { width: number; height: number }) {
  installFontsAndPath2D()
  setTextMeasuringCanvas(asBrowserContext(createCanvas(1, 1).getContext('2d')))
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const fill = (color: string) => {
    context.fillStyle = color
    context.fillRect(0, 0, width, height)
  }

  function paintClip({ view, shapes, note }: ClipContent, picture: Canvas, part: number) {
    const aspect = picture.width / picture.height
    const rect = pictureRect({ width, height }, aspect, clampViewport(view, { width, height }, aspect))
    fill(STUDIO_COLORS.background)
    context.drawImage(picture, rect.left, rect.top, rect.width, rect.height)
    for (const { shape, opacity } of shapes) paintShape(asBrowserContext(context), shape, rect, studioInks, opacity)
    if (note?.text.trim()) paintCaption(note, part)
  }

  /** Paints the text of a note at the bottom of the picture. */
  function paintCaption(note: Note, part: number) {
    const { size, line, padding } = CAPTION
    context.font = font(500, size)
    const lines = captionLinesAt(
      wrapTextToWidth(note.text, width - 2 * padding, text => context.measureText(text).width),
      part,
    )
    const top = height - (lines.length + 1) * line - 1.5 * padding
    context.fillStyle = 'rgb(14 21 18 / 0.72)'
    context.fillRect(0, top, width, height - top)
    context.textBaseline = 'top'
    context.textAlign = 'left'
    context.fillStyle = STUDIO_COLORS.ink
    for (const [i, text] of lines.entries()) context.fillText(text, padding, top + padding / 2 + (i + 1) * line)
    context.font = font(600, size * 0.8)
    context.fillStyle = colorOfClass(NOTE_KIND_DISPLAY[note.kind].text)
    context.fillText(NOTE_KIND_DISPLAY[note.kind].label, padding, top + padding / 2 + line * 0.1)
  }

  function paintComparison(
    { segment }: ComparisonContent,
    pictures: readonly [Canvas, Canvas],
    frames: readonly [number, number],
    part: number,
    frameAround: (distance: number) => Canvas | null,
  ) {
    const { comparison, pair } = segment
    const [a, b] = pictures
    const rects = layOutPictures(comparison.mode, { width, height }, [a.width / a.height, b.width / b.height])
    const [first, second] = comparison.sides
    const mirrored = [!!first.mirrored, !!second.mirrored] as const
    context.clearRect(0, 0, width, height)
    const isSameFrame = first.video === second.video && frames[0] === frames[1]
    const layers = comparison.mode === 'ghost' ? paintedLayers(comparison.onionSkin, b, isSameFrame, frameAround) : []
    paintComparedPictures(asBrowserContext(context), comparison.mode, [asBrowserImage(a), asBrowserImage(b)], rects, { layers, mirrored })
    context.globalCompositeOperation = 'destination-over'
    fill(STUDIO_COLORS.background)
    context.globalCompositeOperation = 'source-over'
    for (const [i, side] of comparison.sides.entries())
      for (const { shape, opacity } of visibleShapes(side.shapes ?? [], frames[i]!))
        paintShape(asBrowserContext(context), shape, rects[i]!, studioInks, opacity)
    const places = layOutCaptions(rects, comparison.mode, MIN_CLIP_NAME_MARGIN_PX)
    for (const [i, { label }] of pair.entries()) paintClipName(label, frames[i]! + 1, places[i]!)
    if (segment.note?.text.trim()) paintCaption(segment.note, part)
  }

  /** The layers of an onion skin, ready to be painted, and tinted if the onion skin is set to be. */
  function paintedLayers(
    skin: OnionSkin = DEFAULT_ONION_SKIN,
    current: Canvas,
    isSameFrame: boolean,
    frameAround: (distance: number) => Canvas | null,
  ) {
    const layers = onionSkinLayers(skin, asBrowserImage(current), isSameFrame, distance => {
      const picture = frameAround(distance)
      return picture && asBrowserImage(picture)
    })
    if (!skin.tinted) return layers
    return layers.map(({ image, opacity }) => {
      const scratch = createCanvas(current.width, current.height).getContext('2d')
      return { image: tintPicture(asBrowserContext(scratch), image, current.width, current.height), opacity }
    })
  }

  /** Paints the name of a compared clip with the number of its frame. A name that is too long for its place ends with an ellipsis. */
  function paintClipName(name: string, frameNumber: number, { x, y, align, maxWidth }: CaptionLayout) {
    const { size, padding } = CLIP_NAME
    context.font = font(500, size)
    context.textBaseline = 'top'
    context.textAlign = 'left'
    const widthOf = (text: string) => context.measureText(text).width
    const caption = `${shortenToWidth(name, maxWidth - 2 * padding - widthOf(WIDEST_FRAME_NUMBER), widthOf)} · ${frameNumber}`
    const width = widthOf(caption) + 2 * padding
    const left = align === 'left' ? x : x - width
    context.fillStyle = STUDIO_COLORS.background
    context.fillRect(left, y, width, size * 1.5)
    context.fillStyle = STUDIO_COLORS.ink
    context.fillText(caption, left + padding, y + size * 0.25)
  }

  function paintGoal({ segment: { goal } }: StageContent & { kind: 'goal' }) {
    fill(STUDIO_COLORS.background)
    context.textBaseline = 'top'
    context.textAlign = 'center'
    context.font = font(500, GOAL.size)
    const lines = wrapTextToWidth(goal.text, width * 0.84, text => context.measureText(text).width)
    const top = (height - lines.length * GOAL.line) / 2
    context.fillStyle = STUDIO_COLORS.ink
    for (const [i, text] of lines.entries()) context.fillText(text, width / 2, top + i * GOAL.line)
    context.font = font(500, GOAL.title)
    context.fillStyle = goal.state === 'fixed' ? STUDIO_COLORS.field : STUDIO_COLORS.clay
    context.fillText(GOAL_STATE_HEADINGS[goal.state], width / 2, top - 2 * GOAL.title)
  }

  return {
    /** @param part how much of the segment's time has passed, 0 to 1 */
    clip: paintClip,
    comparison: paintComparison,
    goal: paintGoal,
    /** Paints only the background. */
    nothing: () => fill(STUDIO_COLORS.background),
    /** The pixels of the canvas, as RGBA. */
    pixels: (): Buffer => canvas.data(),
  }
}
