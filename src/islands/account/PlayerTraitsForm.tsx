import { useState } from 'react'
import type { PlayerTraits } from '../../../modules/accounts/contract.ts'
import { BATS_OPTIONS, PLAYER_LEVELS, THROWS_OPTIONS } from '../../accounts/player-traits.ts'
import { createLatestSaver } from '../../client/latest-saver.ts'
import { setQueryData, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { errorMessage, useCommand } from '../../client/use-command.ts'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { FormError, SelectField } from '../../ui/field.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const FIELDS = [
  ['bats', 'Bats', BATS_OPTIONS],
  ['throws', 'Throws', THROWS_OPTIONS],
  ['level', 'Level', PLAYER_LEVELS],
] as const

/** How the player bats, throws and competes; each answer is saved as soon as it is chosen. */
export function PlayerTraitsForm() {
  const { data, error, retry } = useQuery('GET /api/account/traits')
  const command = useCommand()
  const [saveLatest] = useState(() => createLatestSaver((body: PlayerTraits) => sendCommand('PUT /api/account/traits', { body })))
  const save = (traits: PlayerTraits) => {
    setQueryData('GET /api/account/traits', undefined, traits)
    const saving = saveLatest(traits)
    command.run(() => saving)
    // Refetch only after saving: before that, the reply would lack a choice that is still waiting to be saved, and the form would lose it.
    saving.then(retry, retry)
  }
  return (
    <section aria-labelledby="traits">
      <h2 id="traits" className="mb-1 text-22">
        How you play
      </h2>
      <p className="mb-4 max-w-measure text-ink-2">
        Your instructors see this and your age beside your videos. You can leave any of them blank.
      </p>
      {error && !data ? (
        <CardError error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <LoadingRegion>
          <Skeleton className="h-19" />
        </LoadingRegion>
      ) : (
        <div className="grid gap-4 sm:grid-cols-3">
          {FIELDS.map(([field, label, options]) => (
            <SelectField
              key={field}
              label={label}
              value={data[field] ?? ''}
              onChange={e => save({ ...data, [field]: e.currentTarget.value || null } as PlayerTraits)}
            >
              <option value="">Not specified</option>
              {options.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </SelectField>
          ))}
        </div>
      )}
      <FormError>{command.message}</FormError>
    </section>
  )
}
