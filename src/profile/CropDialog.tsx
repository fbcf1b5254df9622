import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** The side of the square: `SHOWN_PX` on the screen, `SENT_PX` in the uploaded picture. */
const SHOWN_PX = 280
const SENT_PX = 640
const ARROW_STEP_PX = 8

interface CropView {
  /** The picture's offset from the center, in displayed pixels. */
  x: number
  y: number
  /** At 1 the picture just covers the square. */
  zoom: number
}

/**
 * Limits a view so that the picture still covers the whole square. `width` and `height` are the size of the uncropped picture in its own
 * pixels.
 */
export function clampCrop({ x, y, zoom }: CropView, width: number, height: number): CropView {
  const scale = (SHOWN_PX / Math.min(width, height)) * zoom
  const most = (side: number) => Math.max(0, (side * scale - SHOWN_PX) / 2)
  const within = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value))
  return { x: within(x, most(width)), y: within(y, most(height)), zoom }
}

function draw(canvas: HTMLCanvasElement, image: ImageBitmap, { x, y, zoom }: CropView) {
  const ratio = canvas.width / SHOWN_PX
  const scale = (SHOWN_PX / Math.min(image.width, image.height)) * zoom * ratio
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(
    image,
    canvas.width / 2 - (image.width * scale) / 2 + x * ratio,
    canvas.height / 2 - (image.height * scale) / 2 + y * ratio,
    image.width * scale,
    image.height * scale,
  )
}

/** Crops a picture to a square: drag or use the arrow keys to move, the slider to zoom. `onDone` receives a JPEG. */
export function CropDialog({
  image,
  onDone,
  onClose,
}: {
  image: ImageBitmap
  onDone: (square: Blob) => Promise<void>
  onClose: () => void
}) {
  // A state instead of a ref, because the dialog mounts the canvas only after this component has rendered. Setting the state then runs the
  // effect below, which draws.
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null)
  const [view, setView] = useState<CropView>({ x: 0, y: 0, zoom: 1 })
  const [busy, setBusy] = useState(false)
  const place = (next: CropView) => setView(clampCrop(next, image.width, image.height))
  useLayoutEffect(() => {
    if (canvas) draw(canvas, image, view)
  }, [canvas, image, view])

  // The pointer's last position during a drag. `movementX` is unreliable: its unit differs between browsers, and some report 0 for touch.
  const dragPoint = useRef<{ x: number; y: number }>(undefined)
  const move = (e: PointerEvent) => {
    const before = dragPoint.current
    if (!before) return
    dragPoint.current = { x: e.clientX, y: e.clientY }
    place({ ...view, x: view.x + e.clientX - before.x, y: view.y + e.clientY - before.y })
  }
  const endDrag = () => {
    dragPoint.current = undefined
  }
  async function save() {
    const square = document.createElement('canvas')
    square.width = square.height = SENT_PX
    draw(square, image, view)
    setBusy(true)
    const blob = await new Promise<Blob | null>(resolve => square.toBlob(resolve, 'image/jpeg', 0.9))
    if (blob) await onDone(blob)
    setBusy(false)
  }

  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Crop your photo"
      about="Drag the photo until your face is centered."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button busy={busy} onClick={save}>
            Use this photo
          </Button>
        </>
      }
    >
      <div className="flex flex-col items-center gap-4">
        <canvas
          ref={setCanvas}
          width={SHOWN_PX * 2}
          height={SHOWN_PX * 2}
          role="slider"
          aria-label="Position of the photo. Use the arrow keys to move it."
          aria-valuenow={0}
          aria-valuetext={`${Math.round(view.x)} right, ${Math.round(view.y)} down`}
          tabIndex={0}
          onPointerDown={e => {
            e.currentTarget.setPointerCapture(e.pointerId)
            dragPoint.current = { x: e.clientX, y: e.clientY }
          }}
          onPointerMove={move}
          onPointerUp={endDrag}
          onPointerCancel={endDrag}
          onKeyDown={e => {
            const step = {
              ArrowLeft: [-ARROW_STEP_PX, 0],
              ArrowRight: [ARROW_STEP_PX, 0],
              ArrowUp: [0, -ARROW_STEP_PX],
              ArrowDown: [0, ARROW_STEP_PX],
            }[e.key]
            if (!step) return
            e.preventDefault()
            place({ ...view, x: view.x + step[0]!, y: view.y + step[1]! })
          }}
          className="size-70 cursor-move touch-none rounded-full"
        />
        <label className="flex w-70 items-center gap-3 text-14 font-medium">
          Zoom
          <input
            type="range"
            min="1"
            max="4"
            step="0.01"
            value={view.zoom}
            onChange={e => place({ ...view, zoom: Number(e.target.value) })}
            className="h-11 flex-1 accent-field"
          />
        </label>
      </div>
    </Dialog>
  )
}
