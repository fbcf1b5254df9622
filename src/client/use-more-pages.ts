import { useEffect, useRef, useState } from 'react'
import { useCommand } from './use-command.ts'

/** A page of a list: its rows, and the cursor of the next page, which is null on the last one. */
export interface ListPage<R> {
  rows: R[]
  next: string | null
}

interface PagedList<R> {
  /** The first page, from a query that refetches it when something changes; undefined while it loads. */
  first: ListPage<R> | undefined
  /** Requests the page that begins at a cursor. */
  load: (cursor: string) => Promise<ListPage<R>>
  keyOf: (row: R) => string
  /** The reply that `first` comes from. If it is given, each refetch of the first page also loads the older pages again. */
  reply?: object | undefined
  /** Identifies the list if a component shows different lists over time, such as the results of different searches. */
  list?: string
}

/** The older pages that were loaded. `from`: the cursor of the first of them. `reply`: the reply of the first page at that time. */
interface OlderPages<R> extends ListPage<R> {
  from: string
  reply: object | undefined
  list: string | undefined
}

/**
 * Whether the older pages must be loaded again: they no longer follow the first page, or the first page was fetched again, so their rows
 * may have changed, too.
 */
export const mustReloadOlderPages = (older: Pick<OlderPages<unknown>, 'from' | 'reply'>, start: string | null, reply: object | undefined) =>
  older.from !== start || older.reply !== reply

/**
 * A list that loads one more page on each call of `more`, which is undefined when everything is loaded. If the first page changes so that
 * the older pages no longer follow it, or was fetched again, the hook loads them again and keeps the rows on the screen until they arrive:
 * nobody loses their place, and no row is missing or listed twice. When `list` changes, the older pages of the previous list are dropped.
 */
export function useMorePages<R>({ first, load, keyOf, reply, list }: PagedList<R>) {
  const [stored, setStored] = useState<OlderPages<R>>()
  const older = stored?.list === list ? stored : undefined
  const { run, busy, message } = useCommand()
  const latest = useRef({ load, older })
  latest.current = { load, older }

  const start = first?.next ?? null
  const isOutdated = !!older && mustReloadOlderPages(older, start, reply)
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
      if (isCurrent) setStored(start === null ? undefined : { rows, next, from: start, reply, list })
    }
    reload().catch(() => {
      // After an error the rows on the screen stay, and the next change of the first page loads them again.
    })
    return () => {
      isCurrent = false
    }
  }, [isOutdated, start, reply, list])

  const cursor = older ? older.next : start
  const more = () =>
    run(async () => {
      const page = await load(cursor!)
      setStored(before => {
        const samePages = before?.list === list ? before : undefined
        const { rows, ...known } = samePages ?? { rows: [], from: cursor!, reply, list }
        return { ...known, rows: [...rows, ...page.rows], next: page.next }
      })
    })
  const keys = new Set<string>()
  const isNew = (row: R) => !keys.has(keyOf(row)) && !!keys.add(keyOf(row))
  const rows = first && [...first.rows, ...(older?.rows ?? [])].filter(isNew)
  return { rows, more: cursor === null || !first ? undefined : more, busy, message }
}
