import { Search } from 'lucide-react'
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react'
import { MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH } from '../../modules/admin-search/policy.ts'
import { controlClasses } from '../ui/field.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { isTextEntry } from '../ui/shortcut-guards.ts'

const SearchResultGroups = lazyWithRetry(() => import('./SearchResultGroups.tsx').then(m => ({ default: m.SearchResultGroups })))

/** How long typing must pause before the search is sent. */
const SEARCH_DEBOUNCE_MS = 200

function useDebounced(value: string) {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}

/** The direction in which each arrow key moves the focus between the search field and the matches below it. */
const STEPS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * Searches people, folders, payments, packages and support requests. `/` focuses it, arrow keys move through matches, Escape closes them.
 */
export function AdminSearch() {
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const text = useDebounced(typed.trim())
  const shown = open && text.length >= MIN_SEARCH_LENGTH

  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const leave = ({ target }: Event) => box.current?.contains(target as Node) || setOpen(false)
    // `blur` does not work here: Safari does not focus a pressed link, so the link would disappear before its click.
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, leave, { signal })
    const focusBySlash = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTextEntry(event.target)) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', focusBySlash, { signal })
    return () => listening.abort()
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (event.key === 'Escape' && open) {
      setOpen(false)
      field.current?.focus()
    } else if (!step || !shown) return
    else {
      const stops = [...box.current!.querySelectorAll<HTMLElement>('input, a[href], button, [tabindex]')]
      stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus()
    }
    event.preventDefault()
  }
  return (
    <div className="page pt-4 print:hidden">
      <search ref={box} className="relative block max-w-2xl" onKeyDown={onKeyDown}>
        <label htmlFor="admin-search" className="sr-only">
          Search people, folders, payments and requests
        </label>
        <Search aria-hidden="true" size={18} strokeWidth={1.75} className="pointer-events-none absolute top-3.25 left-3 text-ink-2" />
        <input
          ref={field}
          id="admin-search"
          type="search"
          autoComplete="off"
          maxLength={MAX_SEARCH_LENGTH}
          placeholder="Name, email, folder, receipt or ID"
          aria-keyshortcuts="/"
          value={typed}
          onFocus={() => setOpen(true)}
          onChange={event => {
            setTyped(event.target.value)
            setOpen(true)
          }}
          className={`${controlClasses} h-11 pl-10`}
        />
        {shown && (
          <div className="absolute inset-x-0 top-full z-20 mt-1 max-h-[70dvh] overflow-y-auto rounded-card border border-line bg-paper p-2 shadow-float">
            <Suspense fallback={null}>
              <SearchResultGroups text={text} />
            </Suspense>
          </div>
        )}
      </search>
    </div>
  )
}
