import { Star } from 'lucide-react'
import type { InputHTMLAttributes, Ref } from 'react'
import { cx } from './cx.ts'

const STARS = [1, 2, 3, 4, 5]

/** A read-only rating of 1 to 5 stars. */
export const Stars = ({ value, className }: { value: number; className?: string }) => (
  <span role="img" aria-label={`${value} out of 5 stars`} className={cx('inline-flex gap-0.5 text-gold', className)}>
    {STARS.map(star => (
      <Star key={star} aria-hidden="true" size={18} strokeWidth={1.75} className={star <= value ? 'fill-current' : undefined} />
    ))}
  </span>
)

/** The same stars as radio buttons; `register` connects them to a form. Put them inside a `ChoiceGroup`. */
export const StarInputs = ({
  value,
  register,
}: {
  value: number
  register: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }
}) =>
  STARS.map(star => (
    <label
      key={star}
      className="relative grid size-11 place-items-center rounded-field text-gold hover:bg-gold-wash has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-sky"
    >
      <input
        type="radio"
        value={star}
        aria-label={star === 1 ? '1 star' : `${star} stars`}
        {...register}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
      <Star aria-hidden="true" size={28} strokeWidth={1.75} className={star <= value ? 'fill-current' : undefined} />
    </label>
  ))
