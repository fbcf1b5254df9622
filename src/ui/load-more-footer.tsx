import { useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { FieldError } from './field.tsx'

interface Props {
  /** The number of rows on the screen, and the number of rows in the whole list (null if unknown). */
  shown: number
  total: number | null
  /** Loads the next page; undefined after the last page. */
  more: (() => void) | undefined
  busy: boolean
  /** Why the next page did not load. */
  message: string | undefined
  /** The accessible name of the button if the screen has several such buttons, for example "Show more delivered sessions". */
  label?: string
}

/** The end of a list that loads page by page: how much of it is shown, and a button for more. Renders nothing if one page holds it all. */
export function LoadMoreFooter({ shown, total, more, busy, message, label }: Props) {
  const [wasPressed, setPressed] = useState(false)
  const count = useRef<HTMLParagraphElement>(null)
  const isDone = wasPressed && !more
  const errorId = useId()
  // After the last page the button disappears. If it had the focus, the focus moves to the line that says that all rows are shown.
  useEffect(() => {
    if (isDone && document.activeElement === document.body) count.current?.focus()
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
      <FieldError id={errorId} error={message} />
    </div>
  )
}
