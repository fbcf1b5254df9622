import { type UseFormReturn, useWatch } from 'react-hook-form'
import { TextField } from '../ui/field.tsx'
import type { ProfileFormValues } from './profile-form-values-type.ts'
import { SLUG_PATTERN, useSlugAvailability } from './slug.ts'

/** The field for a profile's address, which shows whether it is available. `own`: the profile's current slug, '' if it has none yet. */
export function SlugField({ form, own }: { form: UseFormReturn<ProfileFormValues>; own: string }) {
  const slug = useWatch({ control: form.control, name: 'slug' }).trim().toLowerCase()
  const availability = useSlugAvailability(slug, own)
  const place = `${location.host}/i/${slug || '…'}`
  const taken = availability && !availability.available ? (availability.message ?? 'This address is taken. Try another one.') : undefined
  return (
    <>
      <TextField
        label="Profile web address"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={availability?.available ? <span className="text-field">{place} is available</span> : place}
        error={form.formState.errors.slug?.message ?? taken}
        {...form.register('slug', {
          minLength: { value: 3, message: 'At least 3 characters' },
          validate: v => SLUG_PATTERN.test(v.trim().toLowerCase()) || 'Use letters, numbers and single dashes',
        })}
      />
      {/* Announces only that the address is free; a taken address is an error, which the field itself announces. */}
      <p role="status" className="sr-only">
        {availability?.available && `${place} is available`}
      </p>
    </>
  )
}
