import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { cx } from './cx.ts'
import { FieldError } from './field.tsx'

type Box = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

/** A question with cards to choose from; its children are `Choice`s. */
export function ChoiceGroup({
  legend,
  hint,
  error,
  className,
  children,
}: {
  legend: ReactNode
  hint?: ReactNode
  error?: string
  className?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <fieldset aria-describedby={cx(hint ? `${id}-hint` : '', error && id) || undefined} aria-invalid={error ? true : undefined}>
      <legend className="mb-1.5 text-14 font-medium">{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="mb-1.5 text-13 text-ink-2">
          {hint}
        </p>
      )}
      <div className={className ?? 'grid grid-cols-2 gap-2'}>{children}</div>
      <div className="mt-1.5 empty:hidden">
        <FieldError id={id} error={error} />
      </div>
    </fieldset>
  )
}

/** A selectable card: `type="radio"` for a single choice, `type="checkbox"` (the default) for several. */
export function Choice({ label, detail, icon, ...rest }: { label: ReactNode; detail?: ReactNode; icon?: ReactNode } & Box) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 rounded-field border border-edge bg-paper px-3 py-2 transition-[background-color,border-color] hover:border-ink-2 has-checked:border-field has-checked:bg-field-wash has-disabled:cursor-not-allowed has-disabled:opacity-55 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-sky">
      <input type="checkbox" {...rest} className="size-5 shrink-0 scroll-mt-16 accent-field outline-none" />
      {icon}
      <span className="flex min-w-0 flex-col">
        <span className="font-medium">{label}</span>
        {detail && <span className="text-13 text-ink-2">{detail}</span>}
      </span>
    </label>
  )
}
