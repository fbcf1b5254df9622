import { useState } from 'react'
import type { QueuedSession } from '../../../modules/folders/contract.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { LoadMoreFooter } from '../../ui/load-more-footer.tsx'
import { QueueRow } from './QueueRow.tsx'
import { QueueSection } from './QueueSection.tsx'
import { searchQueue } from './sort-and-search-queue.ts'

const DELIVERED_SHOWN = 5

interface Paging {
  more: (() => void) | undefined
  busy: boolean
  message: string | undefined
}

/**
 * Delivered sessions, newest first: a few at first, then page by page. A search covers the loaded sessions, and a button loads older ones
 * to search. `rows`: the loaded sessions; `total`: the number of all delivered sessions.
 */
export function DeliveredSection({
  rows,
  total,
  search,
  paging,
}: {
  rows: QueuedSession[]
  total: number
  search: string
  paging: Paging
}) {
  const [isShort, setShort] = useState(true)
  const isSearched = search.trim() !== ''
  const found = searchQueue(rows, search)
  const shown = isShort ? found.slice(0, DELIVERED_SHOWN) : found
  const nextPage = isSearched ? undefined : paging.more
  const count = isSearched ? found.length : total
  return (
    <div className="flex flex-col gap-4 empty:hidden">
      <QueueSection
        id="delivered"
        title="Delivered"
        folders={shown}
        count={count}
        more={
          <LoadMoreFooter
            shown={shown.length}
            total={count}
            busy={paging.busy}
            message={isSearched ? undefined : paging.message}
            more={shown.length < found.length ? () => setShort(false) : nextPage}
            label="Show more delivered sessions"
          />
        }
      >
        {f => <QueueRow key={f.assignment} folder={f} action="Open" />}
      </QueueSection>
      {isSearched && paging.more && (
        <div className="flex flex-col items-center gap-2">
          <p role="status" className="text-14 text-ink-2">
            {rows.length.toLocaleString('en-US')} of {total.toLocaleString('en-US')} delivered sessions searched
          </p>
          <Button variant="secondary" busy={paging.busy} onClick={paging.more}>
            Search older sessions
          </Button>
          <FieldError id="older-sessions-error" error={paging.message} />
        </div>
      )}
    </div>
  )
}
