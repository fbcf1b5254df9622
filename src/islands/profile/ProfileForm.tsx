import { useForm } from 'react-hook-form'
import type { Profile } from '../../../modules/instructors/contract.ts'
import { ApiError, call } from '../../client/api.ts'
import { refresh } from '../../client/query.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, Choices } from '../../ui/choices.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { sentence } from '../command.ts'
import { Preview } from './Preview.tsx'
import { SLUG, slugOf, useAvailability } from './slug.ts'

const sports = { baseball: 'Baseball', softball: 'Softball' }
const skills = { hitting: 'Hitting', pitching: 'Pitching', fielding: 'Fielding', catching: 'Catching' }

export interface ProfileFields {
  type: Profile['type']
  skills: Profile['skills']
  slug: string
  about: string
  experience: string
}

/** What an instructor says about themselves, and how it looks. `brief` asks only what an account cannot do without. */
const long = { maxLength: { value: 2000, message: 'At most 2000 characters' } }

export function ProfileForm({
  profile,
  brief = false,
  onSaved,
}: {
  profile: Profile
  brief?: boolean
  onSaved?: (saved: Profile) => void
}) {
  const own = profile.user.profileSlug ?? ''
  const { register, handleSubmit, watch, setError, formState } = useForm<ProfileFields>({
    defaultValues: {
      type: profile.type,
      skills: profile.skills,
      slug: own || slugOf(`${profile.user.firstName} ${profile.user.lastName}`),
      about: profile.about,
      experience: profile.experience,
    },
  })
  const { errors, isSubmitting } = formState
  const now = watch()
  const slug = now.slug.trim().toLowerCase()
  const availability = useAvailability(slug, own)

  const submit = handleSubmit(async form => {
    try {
      const saved = await call('PUT /api/profile', { body: { ...form, slug: form.slug.trim().toLowerCase() } })
      refresh('GET /api/profile')
      toast({ title: 'Profile saved', description: 'The page about you is up to date.' })
      onSaved?.(saved)
    } catch (error) {
      const fields = error instanceof ApiError ? Object.entries(error.fields) : []
      for (const [field, message] of fields) setError(field as keyof ProfileFields, { message }, { shouldFocus: true })
      if (!fields.length) toast({ title: 'Not saved', description: sentence(error), variant: 'destructive' })
    }
  })

  return (
    <div className={brief ? '' : 'grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]'}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Choices legend="What do you teach?" error={errors.type?.message}>
          {Object.entries(sports).map(([value, label]) => (
            <Choice
              key={value}
              value={value}
              label={label}
              {...register('type', { validate: v => v.length > 0 || 'Please select at least one sport type' })}
            />
          ))}
        </Choices>
        <Choices legend="Which skills?" error={errors.skills?.message}>
          {Object.entries(skills).map(([value, label]) => (
            <Choice
              key={value}
              value={value}
              label={label}
              {...register('skills', { validate: v => v.length > 0 || 'Please select at least one skill' })}
            />
          ))}
        </Choices>
        <TextField
          label="Address of your profile"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={
            availability?.available ? (
              <span className="text-field">
                {location.host}/i/{slug} is free
              </span>
            ) : (
              `${location.host}/i/${slug || '…'}`
            )
          }
          error={
            errors.slug?.message ??
            (availability && !availability.available ? (availability.message ?? 'This address is taken. Try another one.') : undefined)
          }
          {...register('slug', {
            minLength: { value: 3, message: 'At least 3 characters' },
            validate: v => SLUG.test(v.trim().toLowerCase()) || 'Use letters, numbers and single dashes',
          })}
        />
        {!brief && (
          <>
            <TextArea
              label="About"
              optional
              rows={5}
              hint="How you teach, and what a player gets from you."
              error={errors.about?.message}
              {...register('about', long)}
            />
            <TextArea
              label="Experience"
              optional
              rows={4}
              hint="Where you played and coached, and what you are certified in."
              error={errors.experience?.message}
              {...register('experience', long)}
            />
          </>
        )}
        <Button type="submit" size="lg" busy={isSubmitting} className="self-start">
          Save profile
        </Button>
      </form>
      {!brief && <Preview profile={profile} now={now} />}
    </div>
  )
}
