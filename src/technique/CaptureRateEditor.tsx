import { useStore } from '@nanostores/react'
import { memo, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { $user } from '../client/login-session.ts'
import { refetchQueries } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { useCommand } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { FormError, TextField } from '../ui/field.tsx'
import { describeCaptureRate } from './describe-capture-rate.ts'

/** The slow-motion frame rates of most phones, in frames per second. */
const SLOW_MOTION_RATES = [120, 240]

/**
 * Shows the rate at which the clip was filmed. The player and the instructor can set it, because a slow-motion file may state only the
 * rate at which it plays.
 */
export const CaptureRateEditor = memo(function CaptureRateEditor({ folder, clip }: { folder: string; clip: Video }) {
  const [rate, setRate] = useState<string>()
  const [error, setError] = useState<string>()
  const command = useCommand()
  const canSet = useStore($user)?.role !== 'admin'
  const save = async (value: number) => {
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
        {describeCaptureRate(clip)}{' '}
        {canSet && clip.media?.captureRate && rate === undefined && (
          <button type="button" className="link -my-3 inline-flex min-h-11 items-center md:my-0 md:min-h-0" onClick={() => setRate('')}>
            Change
          </button>
        )}
      </p>
      {canSet && clip.media && !clip.media.captureRate && rate === undefined && (
        <fieldset className="flex flex-wrap items-center gap-2 text-13">
          <legend className="float-left mr-1 contents font-medium">Filmed in slow motion?</legend>
          {SLOW_MOTION_RATES.map(rate => (
            <Button key={rate} variant="secondary" size="sm" busy={command.busy} onClick={() => save(rate)}>
              {rate}
              <span className="sr-only"> frames per second</span>
            </Button>
          ))}
          <Button variant="quiet" size="sm" onClick={() => setRate('')}>
            Other
          </Button>
        </fieldset>
      )}
      {rate === undefined && <FormError>{command.message}</FormError>}
      {rate !== undefined && (
        <form
          noValidate
          className="flex flex-wrap items-center gap-2"
          onSubmit={e => {
            e.preventDefault()
            save(Number(rate))
          }}
        >
          <TextField
            label="Frames per second when filmed"
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
          <Button
            variant="quiet"
            onClick={() => {
              command.clear()
              setRate(undefined)
            }}
          >
            Cancel
          </Button>
        </form>
      )}
    </div>
  )
})
