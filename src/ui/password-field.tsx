import { Eye, EyeOff } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, type Ref, useState } from 'react'
import { IconButton } from './button.tsx'
import { controlClasses, Field } from './field.tsx'

/** A password field with a button that shows or hides the password. */
export function PasswordField({
  label,
  hint,
  error,
  ...rest
}: { label: ReactNode; hint?: ReactNode; error?: string; ref?: Ref<HTMLInputElement> } & InputHTMLAttributes<HTMLInputElement>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field {...{ label, hint, error }}>
      {wiring => (
        <div className="relative">
          <input {...rest} {...wiring} type={shown ? 'text' : 'password'} className={`${controlClasses} h-11 pr-12`} />
          <IconButton
            label={shown ? 'Hide password' : 'Show password'}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 text-ink-2"
          >
            <Icon aria-hidden="true" size={20} strokeWidth={1.75} />
          </IconButton>
        </div>
      )}
    </Field>
  )
}
