import { NameAndOptionalPhone, NameAndPhone, type OwnAccount } from '../../../modules/accounts/contract.ts'
import { NameFields } from '../../accounts/name-and-new-password-fields.tsx'
import { useValidatedForm } from '../../accounts/validated-form.ts'
import { setUser, type User } from '../../client/login-session.ts'
import { resetToSavedKeepingNewEdits } from '../../client/persistent-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'

/** A form for the user's name and phone number. Only administrators may leave the phone number empty. */
export function NameAndPhoneForm({ account, role }: { account: OwnAccount; role: User['role'] }) {
  const { firstName, lastName, phone, isNameChecked } = account
  const form = useValidatedForm(
    role === 'admin' ? NameAndOptionalPhone : NameAndPhone,
    async values => {
      const user = await sendCommand('PUT /api/account/details', { body: values })
      setUser(user)
      resetToSavedKeepingNewEdits(form, values, values)
      refetchQueries('GET /api/account')
      toast({ title: 'Saved' })
    },
    { defaultValues: { firstName, lastName, phone }, failed: 'Not saved' },
  )
  const { register, errors } = form
  return (
    <Card>
      <form ref={form.ref} noValidate onSubmit={form.submit} className="flex flex-col items-start gap-4">
        <div className="w-full">
          <NameFields {...{ register, errors }} />
          {isNameChecked && (
            <p className="mt-1.5 text-13 text-ink-2">
              We checked your identity or background under this name. If you change it, we have to check again, and until then your profile
              no longer shows that check.
            </p>
          )}
        </div>
        <TextField
          label="Phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          optional={role === 'admin'}
          className="w-full sm:max-w-80"
          error={errors.phone?.message}
          {...register('phone')}
        />
        <Button type="submit" variant="secondary" busy={form.busy}>
          Save name and phone
        </Button>
      </form>
    </Card>
  )
}
