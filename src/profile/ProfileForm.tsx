import type { Profile } from '../../modules/instructors/contract.ts'
import { ApiError, callApi } from '../client/api.ts'
import { usePersistentForm } from '../client/persistent-form.ts'
import { refetchQueries } from '../client/query.ts'
import { errorMessage } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { Choice, ChoiceGroup } from '../ui/choices.tsx'
import { TextArea } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'
import { ProfilePreview } from './ProfilePreview.tsx'
import type { ProfileFormValues } from './profile-form-values-type.ts'
import { SlugField } from './SlugField.tsx'
import { suggestedSlugOf } from './slug.ts'

const sports = { baseball: 'Baseball', softball: 'Softball' }
const skills = { hitting: 'Hitting', pitching: 'Pitching', fielding: 'Fielding', catching: 'Catching' }

const long = { maxLength: { value: 2000, message: 'At most 2000 characters' } }

/** The form for an instructor's profile, with a live preview. `brief`: only the required fields, without a preview. */
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
  const { markAsSaved, ...form } = usePersistentForm<ProfileFormValues>(`profile:${profile.id}`, {
    type: profile.type,
    skills: profile.skills,
    slug: own || suggestedSlugOf(`${profile.user.firstName} ${profile.user.lastName}`),
    about: profile.about,
    experience: profile.experience,
  })
  const { register, handleSubmit, setError } = form
  const { errors, isSubmitting } = form.formState

  const submit = handleSubmit(async fields => {
    try {
      const saved = await callApi('PUT /api/profile', { body: { ...fields, slug: fields.slug.trim().toLowerCase() } })
      markAsSaved(fields, { ...fields, slug: saved.user.profileSlug ?? fields.slug })
      refetchQueries('GET /api/profile')
      toast({ title: 'Profile saved', description: 'Your public page is up to date.' })
      onSaved?.(saved)
    } catch (error) {
      const wrong = error instanceof ApiError ? Object.entries(error.fields) : []
      for (const [field, message] of wrong) setError(field as keyof ProfileFormValues, { message }, { shouldFocus: true })
      if (!wrong.length) toast({ title: 'Not saved', description: errorMessage(error), variant: 'destructive' })
    }
  })

  return (
    <div className={brief ? '' : 'grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]'}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <ChoiceGroup legend="What do you teach?" error={errors.type?.message}>
          {Object.entries(sports).map(([value, label]) => (
            <Choice
              key={value}
              value={value}
              label={label}
              {...register('type', { validate: v => v.length > 0 || 'Please select at least one sport type' })}
            />
          ))}
        </ChoiceGroup>
        <ChoiceGroup legend="Which skills?" error={errors.skills?.message}>
          {Object.entries(skills).map(([value, label]) => (
            <Choice
              key={value}
              value={value}
              label={label}
              {...register('skills', { validate: v => v.length > 0 || 'Please select at least one skill' })}
            />
          ))}
        </ChoiceGroup>
        <SlugField form={form} own={own} />
        {!brief && (
          <>
            <TextArea
              label="About"
              optional
              rows={5}
              hint="How you teach, and what players get from you."
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
      {!brief && <ProfilePreview profile={profile} control={form.control} />}
    </div>
  )
}
