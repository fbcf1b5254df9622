import { useStore } from '@nanostores/react'
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { ApiError } from '../../client/api.ts'
import { send } from '../../client/send.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useCommand } from '../command.ts'
import { wanted } from '../folder/address.ts'
import { clock } from '../folder/length.ts'
import type { Voices } from '../voice/voices.ts'
import type { DraftKeeper } from './draft.ts'
import { missing } from './missing.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

/** Asks before the review goes out, and says what it lacks. Delivering is final. */
export function Deliver({
  folder,
  session,
  keeper,
  voices,
  onClose,
  onGo,
}: {
  folder: Folder
  session: string
  keeper: DraftKeeper
  voices: Voices
  onClose: () => void
  /** Goes to a note, or to the summary. */
  onGo: (place: string) => void
}) {
  const draft = useStore(keeper.$draft)
  const deliver = useCommand()
  const lacks = missing(draft)
  const ready = !lacks.some(m => m.needed)
  const first = folder.player.name.split(' ')[0]

  const go = () =>
    deliver.run(async () => {
      await keeper.save()
      const waits = await voices.settled()
      if (waits)
        throw new Error(
          `Your voice-over of ${clock(waits.milliseconds)} is only on this device yet. Check your connection and deliver again.`,
        )
      const { goals, ...draft } = keeper.$draft.get()
      const said = goals?.filter(g => g.text.trim())
      const body = {
        ...draft,
        summary: draft.summary.trim(),
        notes: draft.notes.map(n => ({ ...n, text: n.text.trim() })),
        ...(said?.length && { goals: said }),
      }
      try {
        await send('POST /api/folders/{folder}/feedback', { ...wanted(folder.id, session), body })
      } catch (error) {
        if (error instanceof ApiError && error.status === 422) throw new Error(`${error.message}. Correct it and deliver again.`)
        throw error
      }
      keeper.forget()
      await voices.forget()
      toast({ title: 'Delivered', description: `${first} gets your feedback now.`, onward: true })
      location.assign('/instructor/dashboard')
      await new Promise(() => {})
    })

  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={ready ? `Deliver to ${first}?` : 'Not quite ready'}
      about={
        ready
          ? `${count(draft.notes.length, 'note')}, ${count(draft.grades.length, 'grade')} and your summary. Once delivered it stays as it is.`
          : 'This is what is missing.'
      }
      footer={
        ready ? (
          <>
            <Button variant="quiet" onClick={onClose}>
              Keep working
            </Button>
            <Button busy={deliver.busy} onClick={go}>
              Deliver feedback
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Keep working</Button>
        )
      }
    >
      <ul className="flex flex-col gap-3">
        {lacks.map(m => (
          <li key={m.text} className="flex gap-2">
            {m.needed ? (
              <CircleAlert {...icon} className="mt-0.5 shrink-0 text-red" />
            ) : (
              <Info {...icon} className="mt-0.5 shrink-0 text-sky" />
            )}
            <span className={cx(m.needed && 'font-medium')}>
              {m.text}{' '}
              {m.place && (
                <button
                  type="button"
                  className="link inline-flex min-h-11 items-center"
                  onClick={() => {
                    onClose()
                    onGo(m.place!)
                  }}
                >
                  Go there
                </button>
              )}
            </span>
          </li>
        ))}
        {!lacks.length && (
          <li className="flex gap-2">
            <CircleCheck {...icon} className="mt-0.5 shrink-0 text-field" />
            Nothing is missing.
          </li>
        )}
      </ul>
      <div className="mt-4">
        <Problem>{deliver.message}</Problem>
      </div>
    </Dialog>
  )
}
