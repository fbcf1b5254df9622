import { ChevronDown } from 'lucide-react'
import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { cx } from './cx.ts'
import { useRevealError } from './use-reveal-error.ts'

interface About {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong and what to do; announced to screen readers when it appears. */
  error?: string
  /** Adds '(optional)' after the label. */
  optional?: boolean
}
interface Wiring {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Whether the error already contains the hint, in which case it replaces the hint. */
const repeats = (error: string | undefined, hint: ReactNode) =>
  typeof hint === 'string' && Boolean(error?.toLowerCase().includes(hint.toLowerCase()))

/** Connects a label, a control, a hint and an error. Use it for custom controls; the fields below are built from it. */
export function Field({
  label,
  hint: given,
  error,
  optional,
  id: named,
  className,
  children,
}: About & { id?: string; className?: string; children: (wiring: Wiring) => ReactNode }) {
  const own = useId()
  const id = named ?? own
  const hint = repeats(error, given) ? undefined : given
  const describedby = cx(hint ? `${id}-hint` : '', error && `${id}-error`)
  return (
    <div className={cx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-14 font-medium">
        {label}
        {optional && <span className="font-normal text-ink-2"> (optional)</span>}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedby || undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-13 text-ink-2">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}

/** The error of a field or button. The live region is always rendered, so that screen readers announce an error when it appears. */
export const FieldError = ({ id, error }: { id: string; error?: string }) => (
  <div
    id={id}
    ref={useRevealError(error, id)}
    tabIndex={-1}
    aria-live="polite"
    className="scroll-my-24 text-14 font-medium text-red outline-none empty:hidden"
  >
    {error}
  </div>
)

/** An error about the whole form rather than one field, shown next to its submit button. */
export const FormError = ({ icon, children }: { icon?: ReactNode; children?: string | false }) => (
  <div ref={useRevealError(children)} tabIndex={-1} aria-live="assertive" className="scroll-my-24 rounded-field outline-none empty:hidden">
    {children && (
      <p className="flex gap-2 rounded-field bg-red-wash p-3 font-medium text-red">
        {icon}
        {children}
      </p>
    )}
  </div>
)

/** The scroll margin keeps the label above a control visible when the page scrolls to the control. */
export const controlClasses =
  'w-full scroll-mt-8 rounded-field border border-edge bg-paper px-3 text-16 text-ink transition-[border-color] hover:border-ink-2 disabled:bg-ink-wash disabled:text-ink-2 aria-invalid:border-red aria-invalid:border-2'

type Bare<T> = Omit<T, 'id' | 'className'> & { id?: string; className?: string }

export function TextField({
  label,
  hint,
  error,
  optional,
  className,
  id,
  ...rest
}: About & Bare<InputHTMLAttributes<HTMLInputElement>> & { ref?: Ref<HTMLInputElement> }) {
  return (
    <Field {...{ label, hint, error, optional, className, id }}>
      {wiring => <input type="text" {...rest} {...wiring} className={cx(controlClasses, 'h-11')} />}
    </Field>
  )
}

/** An email field. `autoComplete`: `username` for a login, `off` for somebody else's address. */
export const EmailField = ({
  label = 'Email',
  autoComplete = 'email',
  ...rest
}: Omit<ComponentProps<typeof TextField>, 'label' | 'type'> & { label?: string }) => (
  <TextField label={label} type="email" inputMode="email" autoCapitalize="none" autoComplete={autoComplete} {...rest} />
)

export function TextArea({
  label,
  hint,
  error,
  optional,
  className,
  id,
  ...rest
}: About & Bare<TextareaHTMLAttributes<HTMLTextAreaElement>> & { ref?: Ref<HTMLTextAreaElement> }) {
  return (
    <Field {...{ label, hint, error, optional, className, id }}>
      {wiring => <textarea rows={4} {...rest} {...wiring} className={cx(controlClasses, 'min-h-24 py-2.5')} />}
    </Field>
  )
}

export function SelectField({
  label,
  hint,
  error,
  optional,
  className,
  id,
  children,
  ...rest
}: About & Bare<SelectHTMLAttributes<HTMLSelectElement>> & { ref?: Ref<HTMLSelectElement> }) {
  return (
    <Field {...{ label, hint, error, optional, className, id }}>
      {wiring => (
        <div className="relative">
          <select {...rest} {...wiring} className={cx(controlClasses, 'h-11 appearance-none pr-9')}>
            {children}
          </select>
          <ChevronDown
            aria-hidden="true"
            size={18}
            strokeWidth={1.75}
            className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-2"
          />
        </div>
      )}
    </Field>
  )
}
