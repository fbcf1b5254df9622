import { useStore } from '@nanostores/react'
import { DrawingTextInput } from '../../drawing/DrawingTextInput.tsx'
import { DrawingToolbar } from '../../drawing/DrawingToolbar.tsx'
import type { StudioDrawing } from './studio-drawing.ts'

/** Rendered over the video: the drawing toolbar, and the input for a text shape. */
export function DrawingToolsOverlay({ drawing }: { drawing: StudioDrawing }) {
  const { shapeEditor, acts, $shapeDuration, $copied, $textPosition, $keyframes } = drawing
  const stay = useStore($shapeDuration)
  const pasteable = useStore($copied).length > 0
  const writing = useStore($textPosition)
  return (
    <>
      <DrawingToolbar {...{ shapeEditor, acts, stay, pasteable, $keyframes }} />
      {writing && (
        <div className="pointer-events-none absolute inset-0 top-(--room,0px) m-auto h-[min(100cqh-var(--room,0px),100cqw/var(--aspect))] w-[min(100cqw,(100cqh-var(--room,0px))*var(--aspect))] *:pointer-events-auto">
          <DrawingTextInput
            at={writing}
            onDone={text => {
              $textPosition.set(undefined)
              shapeEditor.addText(writing, text)
            }}
          />
        </div>
      )}
    </>
  )
}
