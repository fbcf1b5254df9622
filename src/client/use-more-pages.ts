import { useEffect, useRef, useState } from 'react'
import { useCommand } from './use-command.ts'

/** A page of a list: its rows, and the cursor of the following page; null on the last one. */
export interface ListPage<R> {
  rows: R[]
  next: string | null
}

interface PagedList<R> {
  /** The first page, from a query that refetches it when something changes; undefined while it loads. */
  first: ListPage<R> | undefined
  /** Requests the page that a cursor names. */
  load: (cursor: string) => Promise<ListPage<R>>
  keyOf: (row: R) => string
  /** Identifies the list if a component shows different lists over time, such as the results of different searches. */
  list?: string
}

/**
 * A list that loads one more page at each call of `more`, which is undefined when everything is loaded. If the first page changes so that
 * the older pages no longer follow it, the hook loads them again and meanwhile keeps the rows on the screen: nobody loses their place, and
 * no row is missing or listed twice. When `list` changes, the older pages of the previous list are dropped.
 */
export function useMorePages<R>({ first, load, keyOf, list }: PagedList<R>) {
  /** The older pages. `from`: the cursor of the first of them. */
  const [stored, setStored] = useState<ListPage<R> & { from: string; list: string | undefined }>()
  const older = stored?.list === list ? stored : undefined
  const { run, busy, message } = useCommand()
  const latest = useRef({ load, older })
  latest.current = { load, older }

  const start = first?.next ?? null
  const isOutdated = !!older && older.from !== start
  useEffect(() => {
    if (!isOutdated) return
    let isCurrent = true
    const reload = async () => {
      const rowCount = latest.current.older!.rows.length
      const rows: R[] = []
      let next = start
      while (next !== null && rows.length < rowCount) {
        const page = await latest.current.load(next)
        rows.push(...page.rows)
        next = page.next
      }
      if (isCurrent) setStored(start === null ? undefined : { rows, next, from: start, list })
    }
    reload().catch(() => {
      // After an error the rows on the screen stay, and the next change of the first page loads them again.
    })
    return () => {
      isCurrent = false
    }
  }, [isOutdated, start, list])

  const cursor = older ? older.next : start
  const more = () =>
    run(async () => {
      const page = await load(cursor!)
      setStored(before => {
        const samePages = before?.list === list ? before : undefined
        return { rows: [...(samePages?.rows ?? []), ...page.rows], next: page.next, from: samePages?.from ?? cursor!, list }
      })
    })
  const keys = new Set<string>()
  const isNew = (row: R) => !keys.has(keyOf(row)) && !!keys.add(keyOf(row))
  const rows = first && [...first.rows, ...(older?.rows ?? [])].filter(isNew)
  return { rows, more: cursor === null || !first ? undefined : more, busy, message }
}
