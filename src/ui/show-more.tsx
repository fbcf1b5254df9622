import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { FieldError } from './field.tsx'

interface Props {
  /** How many rows are on the screen, and how many there are; null where nobody counts them. */
  shown: number
  total: number | null
  /** Loads the following page; undefined on the last one. */
  more: (() => void) | undefined
  busy: boolean
  /** Why the following page did not load. */
  message: string | undefined
  /** A label for a button that stands beside others, such as "Show more delivered sessions". */
  label?: string
}

/** The end of a list that loads page by page: how much of it is shown, and a button for more. Empty below a list that fits on one page. */
export function ShowMore({ shown, total, more, busy, message, label }: Props) {
  const [wasPressed, setPressed] = useState(false)
  const count = useRef<HTMLParagraphElement>(null)
  const isDone = wasPressed && !more
  // The pressed button is gone after the last page, so the focus moves to the line that says so.
  useEffect(() => {
    if (isDone) count.current?.focus()
  }, [isDone])
  if (!more && !wasPressed) return null
  const press = () => {
    setPressed(true)
    more?.()
  }
  return (
    <div className="flex flex-col items-center gap-2">
      <p ref={count} role="status" tabIndex={isDone ? -1 : undefined} className="text-14 text-ink-2">
        {isDone
          ? `All ${shown.toLocaleString('en-US')} shown`
          : `${shown.toLocaleString('en-US')}${total === null ? '' : ` of ${total.toLocaleString('en-US')}`} shown`}
      </p>
      {more && (
        <Button variant="secondary" busy={busy} onClick={press} aria-label={label}>
          Show more
        </Button>
      )}
      <FieldError id="show-more-error" error={message} />
    </div>
  )
}
