import type { ReactNode, Ref } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

interface Props {
  id: string
  title: string
  about: ReactNode
  form: { ref: Ref<HTMLFormElement>; submit: (event?: React.BaseSyntheticEvent) => unknown; busy: boolean }
  submitLabel: string
  /** The two fields, side by side if there is room. */
  children: ReactNode
  /** Content above the form in its card. */
  above?: ReactNode
  /** Content next to the button. */
  beside?: ReactNode
}

/** A section of the account page that changes the email or the password, and asks for the current password. */
export const CredentialFormSection = ({ id, title, about, form, submitLabel, children, above, beside }: Props) => (
  <section aria-labelledby={id}>
    <h2 id={id} className="mb-1 text-22">
      {title}
    </h2>
    <p className="mb-4 max-w-measure text-ink-2">{about}</p>
    <Card>
      {above}
      <form ref={form.ref} noValidate onSubmit={form.submit} className="flex flex-col items-start gap-4">
        <div className="grid w-full gap-4 sm:grid-cols-2">{children}</div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Button type="submit" variant="secondary" busy={form.busy}>
            {submitLabel}
          </Button>
          {beside}
        </div>
      </form>
    </Card>
  </section>
)
