import { useStore } from '@nanostores/react'
import { memo, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { useCommand } from '../client/command.ts'
import { refetchQueries } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { $user } from '../client/session.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { describeCaptureRate } from './capture-rate.ts'

/**
 * How fast the clip was filmed, with a form to set that for its player and its instructor: a slow-motion file may state only the rate at which
 * it plays.
 */
export const CaptureRate = memo(function Pace({ folder, clip }: { folder: string; clip: Video }) {
  const [rate, setRate] = useState<string>()
  const [error, setError] = useState<string>()
  const command = useCommand()
  const canSet = useStore($user)?.role !== 'admin'
  const save = async () => {
    const value = Number(rate)
    if (!(value >= 1 && value <= 10_000)) return setError('Between 1 and 10,000 frames per second')
    setError(undefined)
    const done = await command.run(async () => {
      await sendCommand('PUT /api/folders/{folder}/videos/{video}/capture-rate', {
        params: { folder, video: clip.id },
        body: { rate: value },
      })
      await refetchQueries('GET /api/folders/{folder}')
    })
    if (done) setRate(undefined)
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="text-13 text-ink-2">
        {describeCaptureRate(clip)} {canSet && clip.media && !clip.media.captureRate && 'Was it slow motion? '}
        {canSet && clip.media && rate === undefined && (
          <button type="button" className="link -my-3 inline-flex min-h-11 items-center md:my-0 md:min-h-0" onClick={() => setRate('')}>
            Set the rate
          </button>
        )}
      </p>
      {rate !== undefined && (
        <form
          noValidate
          className="flex flex-wrap items-center gap-2"
          onSubmit={e => {
            e.preventDefault()
            save()
          }}
        >
          <TextField
            label="Frames per second when filmed"
            hint="Slow motion is 120 or 240 on most phones."
            inputMode="decimal"
            autoFocus
            className="w-full"
            value={rate}
            error={error ?? command.message}
            onChange={e => setRate(e.currentTarget.value)}
          />
          <Button type="submit" busy={command.busy}>
            Save
          </Button>
          <Button variant="quiet" onClick={() => setRate(undefined)}>
            Cancel
          </Button>
        </form>
      )}
    </div>
  )
})
