import { useEffect, useRef, useState } from 'react'
import type { AuditEntry } from '../../modules/audit/contract.ts'
import { type CallInput, callApi, type Reply } from '../client/api.ts'

type EventQuery = CallInput<'GET /api/admin/events'>['query']

/** Loads the log page by page, newest first. A new query object restarts it; responses to superseded requests are dropped. */
export function useEventPages(query: EventQuery) {
  const [events, setEvents] = useState<AuditEntry[]>()
  const [types, setTypes] = useState<string[]>([])
  const [chain, setChain] = useState<Reply<'GET /api/admin/events'>['chain']>(null)
  const [next, setNext] = useState<string | null>(null)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [turn, setTurn] = useState(0)
  const latest = useRef(0)

  async function load(before?: string) {
    const mine = ++latest.current
    setBusy(true)
    setError(undefined)
    try {
      const page = await callApi('GET /api/admin/events', { query: { ...query, ...(before && { before }) } })
      if (mine !== latest.current) return
      setEvents(old => (before ? [...(old ?? []), ...page.events] : page.events))
      setTypes(page.types)
      setChain(page.chain)
      setNext(page.next)
    } catch (failure) {
      if (mine === latest.current) setError(failure)
    }
    if (mine === latest.current) setBusy(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new query or a retry may start `load`
  useEffect(() => {
    setEvents(undefined)
    load()
  }, [query, turn])
  return { events, types, chain, next, error, busy, more: () => next && load(next), again: () => setTurn(turn + 1) }
}
