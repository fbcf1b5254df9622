import { useStore } from '@nanostores/react'
import { Label } from '../../drawing/Label.tsx'
import { Tools } from '../../drawing/Tools.tsx'
import type { Draw } from './drawing.ts'
import type { Speaking } from './voice/speaking.ts'
import { VoiceBar } from './voice/VoiceBar.tsx'

/** What lies over the picture: the recording under way, the drawing tools, and the words that are being written on it. */
export function Over({ draw, speaking }: { draw: Draw; speaking: Speaking }) {
  const { pencil, acts, $stay, $copied, $writing } = draw
  const stay = useStore($stay)
  const pasteable = useStore($copied).length > 0
  const writing = useStore($writing)
  return (
    <>
      <VoiceBar recorder={speaking.recorder} onAgain={speaking.record} />
      <Tools {...{ pencil, acts, stay, pasteable }} />
      {writing && (
        <div className="pointer-events-none absolute inset-0 top-(--room,0px) m-auto h-[min(100cqh-var(--room,0px),100cqw/var(--aspect))] w-[min(100cqw,(100cqh-var(--room,0px))*var(--aspect))] *:pointer-events-auto">
          <Label
            at={writing}
            onDone={text => {
              $writing.set(undefined)
              pencil.label(writing, text)
            }}
          />
        </div>
      )}
    </>
  )
}
