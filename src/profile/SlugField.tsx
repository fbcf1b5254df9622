import { type UseFormReturn, useWatch } from 'react-hook-form'
import { TextField } from '../ui/field.tsx'
import type { ProfileFields } from './profile-fields.ts'
import { SLUG_PATTERN, useSlugAvailability } from './slug.ts'

/** Where a profile will be found, and whether that is still free. `own` is where it is now; '' before there is one. */
export function SlugField({ form, own }: { form: UseFormReturn<ProfileFields>; own: string }) {
  const slug = useWatch({ control: form.control, name: 'slug' }).trim().toLowerCase()
  const availability = useSlugAvailability(slug, own)
  const place = `${location.host}/i/${slug || '…'}`
  const taken = availability && !availability.available ? (availability.message ?? 'This address is taken. Try another one.') : undefined
  return (
    <>
      <TextField
        label="Address of your profile"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={availability?.available ? <span className="text-field">{place} is free</span> : place}
        error={form.formState.errors.slug?.message ?? taken}
        {...form.register('slug', {
          minLength: { value: 3, message: 'At least 3 characters' },
          validate: v => SLUG_PATTERN.test(v.trim().toLowerCase()) || 'Use letters, numbers and single dashes',
        })}
      />
      {/* That it is taken is an error, which its field announces. */}
      <p role="status" className="sr-only">
        {availability?.available && `${place} is free`}
      </p>
    </>
  )
}
