import { Download, X } from 'lucide-react'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { eventTypeInWords } from '../../administration/event-sentences.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { type EventLogFilters, filtersToQueryString, NO_EVENT_LOG_FILTERS, toEventLogApiQuery } from './event-log-filters.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The form that filters the event log; pressing a name or a stream in the log also sets a filter. */
export function EventLogFilterBar({
  types,
  filters,
  onChange,
}: {
  types: string[]
  filters: EventLogFilters
  onChange: (filters: EventLogFilters) => void
}) {
  const { register, handleSubmit, reset, formState } = useForm({ values: filters })
  const { errors } = formState
  const narrowed = Object.values(filters).some(Boolean)
  useEffect(() => reset(filters), [filters, reset])
  return (
    <Card className="p-4!">
      <form onSubmit={handleSubmit(onChange)} noValidate className="grid grid-cols-2 items-start gap-3 xl:grid-cols-7">
        <SelectField label="Kind of event" className="max-xl:col-span-2" {...register('type')}>
          <option value="">Everything</option>
          {types.map(type => (
            <option key={type} value={type}>
              {eventTypeInWords(type)}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Person (email or ID)"
          autoComplete="off"
          className="col-span-2"
          {...register('actor', { maxLength: { value: 254, message: 'At most 254 characters' } })}
        />
        <TextField
          label="Stream"
          autoComplete="off"
          {...register('stream', { maxLength: { value: 80, message: 'At most 80 characters' } })}
        />
        <TextField
          label="Folder (ID)"
          autoComplete="off"
          error={errors.folder?.message}
          {...register('folder', { pattern: { value: uuid, message: 'That is not a folder ID' } })}
        />
        <TextField label="From" type="date" className="max-sm:col-span-2" {...register('from')} />
        <TextField
          label="To"
          type="date"
          className="max-sm:col-span-2"
          error={errors.to?.message}
          {...register('to', { validate: (to, all) => !to || !all.from || to >= all.from || 'This is before the first day' })}
        />
        <div className="col-span-2 flex flex-wrap gap-2 xl:col-span-7">
          <Button type="submit">Show</Button>
          {narrowed && (
            <Button variant="quiet" icon={<X {...icon} />} onClick={() => onChange(NO_EVENT_LOG_FILTERS)}>
              Clear
            </Button>
          )}
          <span className="flex-1" />
          <ButtonLink
            variant="secondary"
            href={`/api/admin/events/export${filtersToQueryString(toEventLogApiQuery(filters))}`}
            download
            icon={<Download {...icon} />}
          >
            Export
          </ButtonLink>
        </div>
      </form>
    </Card>
  )
}
